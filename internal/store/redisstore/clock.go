package redisstore

import (
	"context"
	"sync/atomic"
	"time"
)

// serverClock knows how far the server's clock is from this process's, which is monotonic: a step of the local
// wall clock does not matter. Safe for concurrent use.
//
// A call sent at s and answered at r, with the server's clock read as t between the two, proves
// that the offset lies from t-r to t-s. The estimate is moved into each such interval by the least
// that will do. So it is right to within a round trip, follows drift and steps with the next
// reply, and starts at the low end, on which a deadline comes too early rather than too late.
type serverClock struct {
	start  time.Time
	offset atomic.Int64 // server minus local, nanoseconds
	known  atomic.Bool
}

func newServerClock() *serverClock { return &serverClock{start: time.Now()} }

// local returns nanoseconds since start.
func (c *serverClock) local() int64 { return int64(time.Since(c.start)) }

// learn takes one reply: sent and received in local nanoseconds, the server's clock in whole
// milliseconds, rounded down.
func (c *serverClock) learn(sent, received, serverMS int64) {
	server := serverMS * int64(time.Millisecond)
	low, high := server-received, server+int64(time.Millisecond)-sent
	old := c.offset.Load()
	switch {
	case !c.known.Load():
		c.offset.Store(low)
		c.known.Store(true)
	case old < low:
		c.offset.CompareAndSwap(old, low) // lost to another reply: that one's is as good
	case old > high:
		c.offset.CompareAndSwap(old, low)
	}
}

// notAfter returns the last whole millisecond of the server's clock that ends before ctx's deadline, as seen from now.
func (c *serverClock) notAfter(ctx context.Context, now time.Time) int64 {
	deadline, _ := ctx.Deadline()
	at := now.Sub(c.start) + deadline.Sub(now) + time.Duration(c.offset.Load())
	return at.Milliseconds() - 1
}
