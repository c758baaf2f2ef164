package storetest

import (
	"testing"
	"time"

	"smsd/internal/throttle"
)

// Counters puts an implementation of [throttle.Store] through every line of its contract. open returns an
// empty one that reads the given clock; it is closed by t.Cleanup. Each test opens its own, and they
// run in parallel.
func Counters(t *testing.T, open func(t *testing.T, clock func() time.Time) throttle.Store) {
	t.Helper()
	for _, group := range [][]countersTest{
		logTests, counterTests, fixedTests, bucketTests, groupTests, refundTests, changeTests, directionTests, modeTests, stepTests, boundTests, storeTests, besideTests,
	} {
		for _, test := range group {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				clock := NewManualClock()
				test.run(&countersBench{T: t, store: open(t, clock.Now), clock: clock})
			})
		}
	}
}

type countersTest struct {
	name string
	run  func(*countersBench)
}

// countersBench is the store under test with what every test does to it.
type countersBench struct {
	*testing.T
	store throttle.Store
	clock *ManualClock
}
