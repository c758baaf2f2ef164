package memstore

import (
	"sync/atomic"
	"time"
)

// Clock is the stores' clock: another one, moved by what [Clock.Advance] added. Safe for concurrent use.
type Clock struct {
	now   func() time.Time
	moved atomic.Int64 // nanoseconds
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

// Advance moves the clock by d, backwards too.
func (c *Clock) Advance(d time.Duration) { c.moved.Add(int64(d)) }
