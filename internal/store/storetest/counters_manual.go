package storetest

import (
	"sync"
	"time"
)

// ManualClock stands still until it is moved. Safe for concurrent use.
type ManualClock struct {
	mu  sync.Mutex
	now time.Time
}

// NewManualClock returns a clock that stands at an instant with a fraction: stores keep whole milliseconds.
func NewManualClock() *ManualClock {
	return &ManualClock{now: time.Date(2026, 11, 30, 6, 0, 0, 123_456_789, time.UTC)}
}

// Now returns the instant.
func (c *ManualClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the clock by d, backwards too.
func (c *ManualClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}
