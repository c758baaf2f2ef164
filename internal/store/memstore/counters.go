package memstore

import (
	"context"
	"fmt"
	"sync"

	"smsd/internal/throttle"
)

// DefaultMaxKeys bounds the counters' keys where Options do not. A key with one entry takes some 300 bytes,
// with ten 550, with three logs full 7 KB: together 80 to 150 MB, since only guesses by force fill a log.
const DefaultMaxKeys = 1 << 18

// shadowShare is the part of MaxKeys, as a divisor, that keys which only rules in shadow need may take on top.
const shadowShare = 4

// Counters is a [throttle.Store]. It keeps at most MaxKeys keys, and a quarter as many that only rules in
// shadow need on top, which so never take an enforced rule's place. When it is full it forgets what has expired, and
// nothing else: a charge that needs a new key then fails with [throttle.ErrUnavailable] and changes nothing.
type Counters struct {
	clock *Clock
	max   int

	mu      sync.Mutex
	keys    map[throttle.Key]*state
	expiry  expiry
	shadows int   // of keys: only rules in shadow need them
	peak    int   // most keys since they were last copied
	latest  int64 // reading of the clock, since it last stepped back
}

var _ throttle.Store = (*Counters)(nil)

// NewCounters returns an empty one.
func NewCounters(o Options) *Counters {
	if o.MaxKeys <= 0 {
		o.MaxKeys = DefaultMaxKeys
	}
	if o.Clock == nil {
		o.Clock = NewClock(nil)
	}
	return &Counters{clock: o.Clock, max: o.MaxKeys, keys: map[throttle.Key]*state{}}
}

// maxShadows bounds the keys that only rules in shadow need.
func (c *Counters) maxShadows() int { return max(1, c.max/shadowShare) }

// Len returns how many keys there are.
func (c *Counters) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.keys)
}

// stepAtLeast is how many milliseconds back the clock must go for the ends of all keys to be looked at.
const stepAtLeast = 1000

// read returns the clock's reading, and puts right what its steps back disturb.
func (c *Counters) read() int64 {
	now := c.clock.Now().UnixMilli()
	if now < c.latest-stepAtLeast {
		c.rewound(now)
		c.latest = now
	}
	c.latest = max(c.latest, now)
	return now
}

// Take implements [throttle.Store].
func (c *Counters) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	return c.take(ctx, t, nil)
}

// take is Take. Of an event that is allowed it does the errand, if there is one, before it charges; an error of that
// is the take's.
func (c *Counters) take(ctx context.Context, t throttle.Take, errand func(*throttle.Taken) error) (throttle.Taken, error) {
	if err := ended(ctx); err != nil {
		return throttle.Taken{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.read()
	c.sweep(sweepAtOnce, now)
	d, err := c.decide(t, now)
	if err != nil {
		return throttle.Taken{}, err
	}
	if !d.Allowed {
		for i, g := range t.Groups {
			c.settle(d.states[i], g.Plan, now)
		}
		return d.Taken, nil
	}
	if errand != nil {
		if err := errand(&d.Taken); err != nil {
			return throttle.Taken{}, err
		}
	}
	if d.Free {
		return d.Taken, nil
	}
	c.charge(t, d, now)
	return d.Taken, nil
}

// Peek implements [throttle.Store].
func (c *Counters) Peek(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if err := ended(ctx); err != nil {
		return throttle.Taken{}, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.evaluate(t, c.read()).Taken, nil
}

// Refund implements [throttle.Store].
func (c *Counters) Refund(ctx context.Context, r throttle.Refund) error {
	if err := ended(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	uncharged := r.Uncharged
	for _, g := range r.Groups {
		var own []bool
		if uncharged != nil {
			own, uncharged = uncharged[:len(g.Plan.Cells)], uncharged[len(g.Plan.Cells):]
		}
		if s := c.keys[g.Key]; s != nil {
			s.refund(g.Plan, r.ID, r.At.UnixMilli(), own)
		}
	}
	return nil
}

// Reset implements [throttle.Store]. It looks at every key.
func (c *Counters) Reset(ctx context.Context, tags ...throttle.Tag) error {
	if err := ended(ctx); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	named := map[throttle.Tag]bool{}
	for _, t := range tags {
		named[t] = true
	}
	c.drop(func(s *state) bool { return named[s.key.Tag] })
	return nil
}

// ended is the error of a call whose caller has gone.
func ended(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("memstore: %w: %w", throttle.ErrUnavailable, err)
	}
	return nil
}
