package memstore_test

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/throttle"
)

func openCounters(clock func() time.Time) *memstore.Counters {
	return memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock)})
}

// openBoth returns counters that do errands, and the codes on which they do.
func openBoth(now func() time.Time) (throttle.Store, sms.Codes) {
	clock := memstore.NewClock(now)
	codes := memstore.NewCodes(memstore.Options{Clock: clock})
	return memstore.NewCounters(memstore.Options{Clock: clock}).BesideCodes(codes), codes
}

func TestCounters(t *testing.T) {
	t.Parallel()
	storetest.Counters(t, func(_ *testing.T, clock func() time.Time) throttle.Store { return openCounters(clock) })
}

// Every take of the suite has an errand here.
func TestCountersBesideCodes(t *testing.T) {
	t.Parallel()
	t.Run("put", func(t *testing.T) {
		storetest.Counters(t, func(t *testing.T, clock func() time.Time) throttle.Store {
			counters, _ := openBoth(clock)
			return storetest.WithErrands(t, counters)
		})
	})
	t.Run("verify", func(t *testing.T) {
		storetest.Counters(t, func(t *testing.T, clock func() time.Time) throttle.Store {
			counters, codes := openBoth(clock)
			return storetest.WithGuesses(t, counters, codes, 1, false)
		})
	})
}

func TestErrands(t *testing.T) {
	t.Parallel()
	storetest.Errands(t, true, func(_ *testing.T, clock func() time.Time) (throttle.Store, sms.Codes) { return openBoth(clock) })
}

func TestErrandsAreLeftAlone(t *testing.T) {
	t.Parallel()
	storetest.Errands(t, false, func(_ *testing.T, now func() time.Time) (throttle.Store, sms.Codes) {
		clock := memstore.NewClock(now)
		return memstore.NewCounters(memstore.Options{Clock: clock}), memstore.NewCodes(memstore.Options{Clock: clock})
	})
}

// restarting is a Counters that is saved and loaded into a new one after every few calls.
type restarting struct {
	*memstore.Counters
	t     *testing.T
	open  func() *memstore.Counters
	path  string
	calls int
}

func (r *restarting) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if r.calls++; r.calls%50 == 0 {
		fresh := r.open()
		if err := errors.Join(r.Save(r.path), fresh.Load(r.path)); err != nil {
			r.t.Fatal(err)
		}
		r.Counters = fresh
	}
	return r.Counters.Take(ctx, t)
}

// A restart shows in no answer.
func TestCountersDifferentialOverRestarts(t *testing.T) {
	t.Parallel()
	clock := storetest.NewManualClock()
	open := func() *memstore.Counters { return openCounters(clock.Now) }
	restarts := &restarting{Counters: open(), t: t, open: open, path: filepath.Join(t.TempDir(), "counters")}
	storetest.Differential(t, 20_000, 1, open(), restarts, clock)
}
