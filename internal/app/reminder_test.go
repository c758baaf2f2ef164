package app

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Told at once, then at growing intervals, and soon of something else; never for each try.
func TestReminder(t *testing.T) {
	t.Parallel()
	begun := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	var r reminder
	var told []int
	for s := range 4000 {
		text := "refused"
		if s >= 100 && s < 110 {
			text = []string{"late", "gone"}[s%2] // by turns, each second
		}
		if r.due(text, begun.Add(time.Duration(s)*time.Second)) {
			told = append(told, s)
		}
	}
	want := []int{0, 10, 30, 70, 100, 110, 120, 140, 180, 260, 420, 740, 1340, 1940, 2540, 3140, 3740}
	if !slices.Equal(told, want) {
		t.Errorf("told at %v, want %v", told, want)
	}
}

// What is not there at the start is told of once, however often it is tried, and once it is reached.
func TestWhatIsNotThereIsToldOfOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		logger := slog.New(slog.NewTextHandler(&log, nil))
		gone := errors.New("connection refused")
		tries := 0
		w := &watched{
			is: "the database is", notYet: "the database does not answer", passes: func(err error) bool { return err == gone },
			open: func(context.Context) error {
				if tries++; tries < 4 {
					return gone
				}
				return nil
			},
			slow: time.Minute, ping: func(context.Context) error { return nil }, warnings: func() []string { return nil },
			up: prometheus.NewGauge(prometheus.GaugeOpts{Name: "up"}),
		}
		ctx, end := context.WithTimeout(t.Context(), remindFirst-time.Millisecond)
		defer end()
		if err := w.try(ctx, w.slow, logger); err != nil {
			t.Fatal(err)
		}
		if err := w.watch(ctx, logger); err != nil {
			t.Error(err)
		}
		if text := log.String(); tries != 4 || strings.Count(text, w.notYet) != 1 || strings.Count(text, "the database is reached") != 1 {
			t.Errorf("%d tries: %s", tries, text)
		}
	})
}
