package memstore_test

import (
	"math"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
)

// However often and far it is moved, a clock stops at the bound, and comes back from there.
func TestClockStopsAtItsBound(t *testing.T) {
	t.Parallel()
	for _, step := range []time.Duration{30 * 24 * time.Hour, memstore.MaxMoved, math.MaxInt64, math.MinInt64 + 1, math.MinInt64, -time.Hour * 8760} {
		under := storetest.NewManualClock()
		clock := memstore.NewClock(under.Now)
		bound := memstore.MaxMoved
		if step < 0 {
			bound = -bound
		}
		for range 4000 { // of 30 days: 328 years
			clock.Advance(step)
		}
		if want := under.Now().Add(bound).Truncate(time.Millisecond); !clock.Now().Equal(want) {
			t.Errorf("by %s: %s, want %s", step, clock.Now(), want)
		}
		clock.Advance(-2 * bound) // to the other end
		clock.Advance(bound)
		if want := under.Now().Truncate(time.Millisecond); !clock.Now().Equal(want) {
			t.Errorf("by %s and back: %s, want %s", step, clock.Now(), want)
		}
	}
}

func TestClockIsMovedFromManyGoroutines(t *testing.T) {
	t.Parallel()
	under := storetest.NewManualClock()
	clock := memstore.NewClock(under.Now)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 1000 {
				clock.Advance(time.Second)
			}
		})
	}
	wg.Wait()
	if moved := clock.Now().Sub(under.Now().Truncate(time.Millisecond)); moved != 8000*time.Second {
		t.Errorf("moved by %s", moved)
	}
}

// What a clean stop writes at either bound, the next start reads.
func TestSnapshotsAtTheClocksBounds(t *testing.T) {
	t.Parallel()
	for name, step := range map[string]time.Duration{"ahead": math.MaxInt64, "behind": math.MinInt64} {
		counters, clock := small(10)
		codes := memstore.NewCodes(memstore.Options{Clock: clock})
		clock.Advance(step)
		counted, id := groupOf(1, mixed()), "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69"
		charge(t, counters, counted)
		if _, err := codes.Put(t.Context(), id, newRecord()); err != nil {
			t.Fatal(name, err)
		}
		dir := t.TempDir()
		countersFile, codesFile := filepath.Join(dir, "counters"), filepath.Join(dir, "codes")
		if err := counters.Save(countersFile); err != nil {
			t.Fatal(name, err)
		}
		if err := codes.Save(codesFile); err != nil {
			t.Fatal(name, err)
		}
		counters2 := memstore.NewCounters(memstore.Options{MaxKeys: 10, Clock: clock})
		codes2 := memstore.NewCodes(memstore.Options{Clock: clock})
		if err := counters2.Load(countersFile); err != nil {
			t.Fatal(name, err)
		}
		if err := codes2.Load(codesFile); err != nil {
			t.Fatal(name, err)
		}
		if got, want := peek(t, counters2, counted), peek(t, counters, counted); !reflect.DeepEqual(got, want) || got.Verdicts[0].Used != 1 {
			t.Errorf("%s:\n got %+v\nwant %+v", name, got, want)
		}
		got, err := codes2.Get(t.Context(), id)
		want, _ := codes.Get(t.Context(), id)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n got %+v\nwant %+v", name, err, got, want)
		}
		// A restart forgets how far the clock was moved.
		unmoved := memstore.NewCounters(memstore.Options{MaxKeys: 10, Clock: memstore.NewClock(storetest.NewManualClock().Now)})
		if err := unmoved.Load(countersFile); err != nil {
			t.Errorf("%s, and not after a restart: %v", name, err)
		}
	}
}
