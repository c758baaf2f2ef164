package redisstore

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/deadline"
)

// queued is one call: first in the queue, then in a batch on the wire.
type queued struct {
	ctx     context.Context
	cmd     redis.Cmder
	end     time.Time       // when the caller gives up; zero: it does not say
	early   <-chan struct{} // tells that it has gone before; nil: it does not go
	size    int             // bytes on the wire, about
	entered time.Time

	settled atomic.Bool   // what follows is set, or about to be: the answer and the caller's end may come at once
	done    chan struct{} // takes one when it is set
	trip    trip
	err     error
}

// trip is when a call was on the wire, on the node's local clock: written no earlier than sent, its answer
// read no later than received.
type trip struct{ sent, received int64 }

// begin makes q the call of cmd.
func (q *queued) begin(ctx context.Context, cmd redis.Cmder) {
	q.ctx, q.cmd, q.size, q.entered = ctx, cmd, wireSize(cmd), time.Now()
	q.end, _ = ctx.Deadline()
	q.early = deadline.Early(ctx)
	q.trip, q.err = trip{}, nil
	q.settled.Store(false)
}

// forget lets go of what the call was about.
func (q *queued) forget() { q.ctx, q.cmd, q.early = nil, nil, nil }

// past reports whether the caller's time is up.
func (q *queued) past(now time.Time) bool { return !q.end.IsZero() && !now.Before(q.end) }

// left returns why the caller has left, or is leaving, by now; nil: it waits.
func (q *queued) left(now time.Time) error {
	switch {
	case q.past(now):
		return context.DeadlineExceeded
	case q.early == nil: // to ask the context would take longer
		return nil
	}
	return q.ctx.Err()
}

// finish hands the caller its answer, which is in cmd, or its error, unless another has come first.
func (q *queued) finish(t trip, err error) {
	if q.settled.CompareAndSwap(false, true) {
		q.trip, q.err = t, err
		q.done <- struct{}{}
	}
}

// argumentHead is what an argument takes beside itself: its length, two ends of line.
const argumentHead = 10

// wireSize returns about how many bytes cmd takes: exactly for text, of numbers a little too few.
func wireSize(cmd redis.Cmder) int {
	size := 0
	for _, argument := range cmd.Args() {
		size += argumentHead
		switch a := argument.(type) {
		case string:
			size += len(a)
		case *string:
			size += len(*a)
		case []byte:
			size += len(a)
		}
	}
	return size
}
