package apikey_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/apikey"
	"smsd/internal/apikey/keytest"
)

// watched is a directory that keeps up by itself, on a clock that runs when everybody waits.
type watched struct {
	*keytest.Keys
	d        *apikey.Directory
	log      bytes.Buffer
	registry *prometheus.Registry
	end      func()
}

// watch runs test beside such a directory.
func watch(t *testing.T, test func(t *testing.T, w *watched)) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &watched{Keys: keytest.New(t, time.Now), registry: prometheus.NewRegistry()}
		var err error
		if w.d, err = apikey.NewDirectory(apikey.DirectoryOptions{
			Store: w.Store, Hasher: w.Hasher, Logger: slog.New(slog.NewTextHandler(&w.log, nil)), Registerer: w.registry,
		}); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- w.d.Watch(ctx) }()
		w.end = func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
		test(t, w)
		w.end()
	})
}

// wait lets time pass, and then everything that is due by then happen.
func wait(d time.Duration) { time.Sleep(d); synctest.Wait() }

// What is made, revoked or ended by another instance is seen within half a second.
func TestWatchKeepsUp(t *testing.T) {
	watch(t, func(t *testing.T, w *watched) {
		text, id := w.Make(apikey.Draft{App: "shop", Kind: apikey.Secret})
		wait(400 * time.Millisecond)
		if got := reason(t, w.d, text); got != "" {
			t.Fatalf("a new key is refused: %s", got)
		}
		if err := w.Store.Revoke(t.Context(), id, time.Now()); err != nil {
			t.Fatal(err)
		}
		wait(400 * time.Millisecond)
		if got := reason(t, w.d, text); got != apikey.Revoked {
			t.Errorf("a revoked key is refused as %q", got)
		}
		if got := testutil.CollectAndCount(w.registry, "smsd_apikeys"); got != 2 {
			t.Errorf("%d kinds are counted", got)
		}
	})
}

// A store that is away is told of once, and once when it is back; what changed meanwhile is then seen.
func TestWatchThroughAnOutage(t *testing.T) {
	watch(t, func(t *testing.T, w *watched) {
		text, id := w.Make(apikey.Draft{App: "shop", Kind: apikey.Secret})
		wait(time.Second)
		w.Store.Away(errors.New("away"))
		wait(time.Minute)
		if got := reason(t, w.d, text); got != "" || !w.d.Health().Lost || !w.d.Health().Loaded {
			t.Errorf("during the outage refused as %q, health %+v", got, w.d.Health())
		}
		w.Store.Away(nil)
		if err := w.Store.Revoke(t.Context(), id, time.Now()); err != nil {
			t.Fatal(err)
		}
		wait(400 * time.Millisecond)
		if got := reason(t, w.d, text); got != apikey.Revoked || w.d.Health().Lost {
			t.Errorf("after the outage refused as %q, health %+v", got, w.d.Health())
		}
		if strings.Count(w.log.String(), "can't be read") != 1 || strings.Count(w.log.String(), "can be read again") != 1 {
			t.Errorf("log: %s", w.log.String())
		}
	})
}

// A store that is away at the start is read as soon as it is there.
func TestWatchLoadsLate(t *testing.T) {
	watch(t, func(t *testing.T, w *watched) {
		text := w.Secret("shop")
		w.Store.Away(errors.New("away"))
		wait(time.Minute)
		if _, err := w.d.Identify(text); !errors.Is(err, apikey.ErrNotLoaded) {
			t.Fatal(err)
		}
		w.Store.Away(nil)
		wait(400 * time.Millisecond)
		if got := reason(t, w.d, text); got != "" {
			t.Errorf("refused as %q", got)
		}
	})
}

func (w *watched) lastUse(t *testing.T) time.Time {
	t.Helper()
	all, _, err := w.Store.All(t.Context(), 1)
	if err != nil {
		t.Fatal(err)
	}
	return all[0].LastUsedAt
}

// The last use is written once a minute, again if it failed, and at the end.
func TestLastUseIsWrittenBehind(t *testing.T) {
	watch(t, func(t *testing.T, w *watched) {
		text := w.Secret("shop")
		wait(500 * time.Millisecond)
		first := time.Now()
		if got := reason(t, w.d, text); got != "" {
			t.Fatal(got)
		}
		wait(59 * time.Second)
		if at := w.lastUse(t); !at.IsZero() {
			t.Errorf("written within the minute: %s", at)
		}
		w.Store.Away(errors.New("away"))
		wait(time.Second)
		w.Store.Away(nil)
		wait(time.Minute)
		if at := w.lastUse(t); !at.Equal(first) {
			t.Errorf("written as %s, want %s", at, first)
		}
		last := time.Now()
		reason(t, w.d, text)
		w.end()
		if at := w.lastUse(t); !at.Equal(last) {
			t.Errorf("at the end written as %s, want %s", at, last)
		}
		w.end = func() {}
	})
}
