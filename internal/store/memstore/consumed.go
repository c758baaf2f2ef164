package memstore

import (
	"container/heap"
	"context"
	"fmt"
	"sync"
	"time"

	"smsd/internal/proof"
)

// DefaultMaxConsumed is how many consumed tokens are kept if Options.MaxConsumed is 0. One takes about 200 bytes, so a full
// store takes about 50 MB.
const DefaultMaxConsumed = 1 << 18

var errConsumedFull = fmt.Errorf("%w: memstore holds as many as it may", proof.ErrUnavailable)

// Consumed is a [proof.Consumed] for one process, which forgets when it ends. It holds at most Options.MaxConsumed tokens: a new one
// takes the place of those whose time has passed, and if there are none it is refused with an error that unwraps
// to [proof.ErrUnavailable]. Safe for concurrent use.
type Consumed struct {
	clock *Clock
	max   int

	mu    sync.Mutex
	known map[string]bool
	queue consumedQueue
}

var _ proof.Consumed = (*Consumed)(nil)

// NewConsumed returns an empty one.
func NewConsumed(o Options) *Consumed {
	c := &Consumed{clock: o.Clock, max: o.MaxConsumed, known: map[string]bool{}}
	if c.clock == nil {
		c.clock = NewClock(nil)
	}
	if c.max == 0 {
		c.max = DefaultMaxConsumed
	}
	return c
}

// Consume implements [proof.Consumed].
func (c *Consumed) Consume(ctx context.Context, jti, _ string, until time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", proof.ErrUnavailable, err)
	}
	c.forget(c.clock.Now(), shedPerPut)
	switch {
	case c.known[jti]:
		return proof.ErrConsumed
	case len(c.known) >= c.max:
		return errConsumedFull
	}
	c.known[jti] = true
	heap.Push(&c.queue, consumption{jti, until})
	return nil
}

// Len returns how many tokens take up room.
func (c *Consumed) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.known)
}

// Purge implements [proof.Consumed].
func (c *Consumed) Purge(ctx context.Context, now time.Time, limit int) (int64, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("%w: %w", proof.ErrUnavailable, err)
	}
	return c.forget(now, limit), nil
}

// forget removes at most limit tokens whose time has passed at now, and says how many.
func (c *Consumed) forget(now time.Time, limit int) (removed int64) {
	for removed < int64(limit) && len(c.queue) > 0 && !now.Before(c.queue[0].until) {
		delete(c.known, heap.Pop(&c.queue).(consumption).jti)
		removed++
	}
	return removed
}

type consumption struct {
	jti   string
	until time.Time
}

// consumedQueue is a [heap.Interface]: what may be forgotten first stands first.
type consumedQueue []consumption

func (q consumedQueue) Len() int           { return len(q) }
func (q consumedQueue) Less(i, j int) bool { return q[i].until.Before(q[j].until) }
func (q consumedQueue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *consumedQueue) Push(x any)        { *q = append(*q, x.(consumption)) }

func (q *consumedQueue) Pop() any {
	last := len(*q) - 1
	c := (*q)[last]
	(*q)[last] = consumption{} // or the array would keep its jti
	*q = (*q)[:last]
	return c
}
