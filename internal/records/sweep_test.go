package records_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/records"
)

// shelf is what a keeper has, as the ages of its rows.
type shelf struct {
	verifications, decisions []time.Time
	calls                    int
	fail                     error
	most                     int // more at once take too long; 0: none do
}

func (s *shelf) Purge(_ context.Context, verifications, decisions time.Time, limit int) (records.Purged, error) {
	s.calls++
	if s.fail != nil {
		return records.Purged{}, s.fail
	}
	if s.most > 0 && limit > s.most { // the first kind is in time, the second is not
		return records.Purged{Verifications: take(&s.verifications, verifications, s.most)}, context.DeadlineExceeded
	}
	return records.Purged{Verifications: take(&s.verifications, verifications, limit), Decisions: take(&s.decisions, decisions, limit)}, nil
}

func take(rows *[]time.Time, before time.Time, limit int) (n int64) {
	for len(*rows) > 0 && (*rows)[0].Before(before) && n < int64(limit) {
		*rows = (*rows)[1:]
		n++
	}
	return n
}

func (s *shelf) Erase(context.Context, []records.Hash) (records.Erased, error) {
	return records.Erased{}, nil
}
func (s *shelf) SealedWith(context.Context) (map[string]int64, error) { return nil, nil }

func newSweeper(t *testing.T, s *shelf, log *lines) (*records.Sweeper, *prometheus.Registry) {
	t.Helper()
	registry := prometheus.NewRegistry()
	sweeper, err := records.NewSweeper(records.SweepOptions{Keeper: s, Registerer: registry, Logger: slog.New(slog.NewTextHandler(log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return sweeper, registry
}

// Every row that is older than it is kept goes, some at a time; none that is younger.
func TestSweep(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s, log := &shelf{}, &lines{}
		now := time.Now()
		for range 2500 {
			s.verifications = append(s.verifications, now.Add(-30*24*time.Hour-time.Millisecond))
			s.decisions = append(s.decisions, now.Add(-180*24*time.Hour-time.Millisecond))
		}
		s.verifications = append(s.verifications, now.Add(-30*24*time.Hour))
		s.decisions = append(s.decisions, now.Add(-31*24*time.Hour))
		sweeper, registry := newSweeper(t, s, log)
		got, err := sweeper.Sweep(t.Context())
		if err != nil || got.Verifications != 2500 || got.Decisions != 2500 || s.calls != 3 {
			t.Errorf("%+v in %d calls, %v", got, s.calls, err)
		}
		if len(s.verifications) != 1 || len(s.decisions) != 1 || log.count("verifications=2500 decisions=2500") != 1 {
			t.Errorf("left: %d and %d", len(s.verifications), len(s.decisions))
		}
		if families, err := registry.Gather(); err != nil || families[0].GetMetric()[1].GetCounter().GetValue() != 2500 {
			t.Errorf("metric: %v, %v", families, err)
		}
	})
}

// A database that takes too long for many loses its old rows all the same, and what a call removed that failed is counted.
func TestASweepOfASlowDatabase(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s, log := &shelf{most: 10}, &lines{}
		for range 25 {
			s.verifications = append(s.verifications, time.Now().Add(-31*24*time.Hour))
			s.decisions = append(s.decisions, time.Now().Add(-181*24*time.Hour))
		}
		sweeper, _ := newSweeper(t, s, log)
		got, err := sweeper.Sweep(t.Context())
		if err != nil || got.Verifications != 25 || got.Decisions != 25 || s.calls != 5 || log.count("verifications=25 decisions=25") != 1 {
			t.Errorf("%+v in %d calls, %v", got, s.calls, err)
		}
		s.most = 1
		if _, err := sweeper.Sweep(t.Context()); !errors.Is(err, context.DeadlineExceeded) || s.calls != 8 {
			t.Errorf("frozen: %d calls, %v", s.calls, err)
		}
	})
}

// It sweeps when it starts and every hour; what fails is told, and tried the next time.
func TestSweepsFollowEachOther(t *testing.T) {
	bubble(t, func(t *testing.T) {
		s, log := &shelf{fail: errors.New("no connection")}, &lines{}
		sweeper, _ := newSweeper(t, s, log)
		ctx, cancel := context.WithTimeout(t.Context(), 24*time.Hour)
		defer cancel()
		sweeper.Run(ctx)
		if s.calls < 21 || s.calls > 27 || log.count("could not be removed") != s.calls {
			t.Errorf("%d sweeps in a day, %d lines", s.calls, log.count("could not be removed"))
		}
	})
}

func TestWhatASweeperRefuses(t *testing.T) {
	t.Parallel()
	for _, o := range []records.SweepOptions{{}, {Keeper: &shelf{}, Decisions: time.Minute}, {Keeper: &shelf{}, Verifications: -time.Hour}} {
		if _, err := records.NewSweeper(o); err == nil {
			t.Errorf("taken: %+v", o)
		}
	}
}
