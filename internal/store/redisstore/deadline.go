package redisstore

import (
	"context"
	"time"
)

// ending is a context that ends at an instant though no timer tells of it: Done and Err are those of the context that it is
// made from. So it costs next to nothing, for those who look at Deadline themselves: the dispatcher, which has one timer for
// all that wait, and go-redis, which gives it to the socket. Who waits for Done makes it [timed] first.
type ending struct {
	context.Context
	end time.Time
}

// Deadline implements [context.Context].
func (e ending) Deadline() (time.Time, bool) { return e.end, true }

// bounded bounds ctx by budget, from now on, unless its own deadline is nearer.
func bounded(ctx context.Context, now time.Time, budget time.Duration) context.Context {
	if end, has := ctx.Deadline(); has && end.Sub(now) <= budget {
		return ctx
	}
	return ending{ctx, now.Add(budget)}
}

// ended returns the error of a context that has ended by now, by its own word or by its deadline.
func ended(ctx context.Context, now time.Time) error {
	if end, has := ctx.Deadline(); has && !now.Before(end) {
		return context.DeadlineExceeded
	}
	return ctx.Err()
}

// timed returns ctx with a Done that tells of its deadline. The caller calls cancel.
func timed(ctx context.Context) (_ context.Context, cancel context.CancelFunc) {
	if end, has := ctx.Deadline(); has {
		return context.WithDeadline(ctx, end)
	}
	return ctx, func() {}
}
