package memstore_test

import (
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/throttle"
)

func openCounters(clock func() time.Time) *memstore.Counters {
	return memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock)})
}

func TestCounters(t *testing.T) {
	storetest.Counters(t, func(_ *testing.T, clock func() time.Time) throttle.Store { return openCounters(clock) })
}

// Two stores must agree wherever the map's order, the heap and the sweeps differ: here one is swept by every call
// and the other never.
func TestCountersDifferential(t *testing.T) {
	clock := storetest.NewManualClock()
	storetest.Differential(t, 50_000, 1, openCounters(clock.Now), openCounters(clock.Now), clock)
}
