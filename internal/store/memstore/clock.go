package memstore

import (
	"sync/atomic"
	"time"
)

// MaxMoved is how far, forwards and backwards, a [Clock] can be moved: with the clocks of today it then reads later
// than 1970 and far below what a [time.Duration] from there could hold, so that every instant can be stored.
const MaxMoved = 50 * 365 * 24 * time.Hour

// Clock is the stores' clock: another one, moved by what [Clock.Advance] added. Safe for concurrent use.
type Clock struct {
	now   func() time.Time
	moved atomic.Int64 // nanoseconds, MaxMoved at most
}

// NewClock returns a clock over now; nil: time.Now.
func NewClock(now func() time.Time) *Clock {
	if now == nil {
		now = time.Now
	}
	return &Clock{now: now}
}

// Now returns the instant in UTC, cut to whole milliseconds: what stores keep.
func (c *Clock) Now() time.Time {
	return c.now().Add(time.Duration(c.moved.Load())).UTC().Truncate(time.Millisecond)
}

// Advance moves the clock by d, backwards too. At [MaxMoved] from the other clock it stops.
func (c *Clock) Advance(d time.Duration) {
	d = bounded(d, 2*MaxMoved) // from one end to the other; the sum can't overflow
	for {
		moved := c.moved.Load()
		if c.moved.CompareAndSwap(moved, int64(bounded(time.Duration(moved)+d, MaxMoved))) {
			return
		}
	}
}

// bounded returns d, or the nearest that is at most most from 0.
func bounded(d, most time.Duration) time.Duration { return max(-most, min(d, most)) }
