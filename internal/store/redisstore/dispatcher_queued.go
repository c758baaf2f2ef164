package redisstore

import (
	"context"
	"time"

	"github.com/redis/go-redis/v9"
)

// queued is one call: first in the queue, then in a batch on the wire.
type queued struct {
	ctx     context.Context
	cmd     redis.Cmder
	size    int // bytes on the wire, about
	entered time.Time

	done chan struct{} // closed when the rest is set
	trip trip
	err  error
}

// trip is when a call was on the wire, on the node's local clock: written no earlier than sent, its answer
// read no later than received.
type trip struct{ sent, received int64 }

func newQueued(ctx context.Context, cmd redis.Cmder) *queued {
	return &queued{ctx: ctx, cmd: cmd, size: wireSize(cmd), entered: time.Now(), done: make(chan struct{})}
}

// late reports whether the caller has given up. A timer may be late itself, so the deadline is read too.
func (q *queued) late(now time.Time) bool {
	deadline, ok := q.ctx.Deadline()
	return q.ctx.Err() != nil || ok && !now.Before(deadline)
}

// finish hands the caller its answer, which is in cmd, or its error.
func (q *queued) finish(t trip, err error) {
	q.trip, q.err = t, err
	close(q.done)
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
		case []byte:
			size += len(a)
		}
	}
	return size
}
