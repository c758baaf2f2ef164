package sms_test

import (
	"context"
	"sync"
	"time"
)

// pass lets time go by on every clock.
func (r *rig) pass(d time.Duration) {
	r.stores.Advance(d)
	r.wall.advance(d)
}

// wallClock is the service's clock.
type wallClock struct {
	mu  sync.Mutex
	now time.Time
	// also moves along when the gateway sleeps.
	also func(time.Duration)
}

func (c *wallClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *wallClock) advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// sleep is the mock gateway's: it takes no time but on the clocks.
func (c *wallClock) sleep(ctx context.Context, d time.Duration) error {
	c.advance(d)
	if c.also != nil {
		c.also(d)
	}
	return ctx.Err()
}
