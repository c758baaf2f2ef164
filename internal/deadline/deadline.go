// Package deadline bounds work by an instant, at next to no cost where nobody waits for that instant.
//
// A [Context] tells its deadline, and that it has come, without a timer: a store in the process looks at the clock, a
// client of Redis has one timer for all its calls, a driver that answers at once never waits. Only who asks for Done, or derives
// another context, makes it one of the standard library, with a timer of its own.
package deadline

import (
	"context"
	"sync"
	"time"
)

// Context ends at an instant or with [Context.End], as one of [context.WithDeadline] does, but not with the context that it is
// made from: of that one it has the values alone. Safe for concurrent use. Only [New] makes one that works.
type Context struct {
	values context.Context // never ends
	at     time.Time

	mu       sync.Mutex
	standard context.Context // nil until it matters
	cancel   context.CancelFunc
}

var _ context.Context = (*Context)(nil)

// New returns a context with the values of ctx that ends at an instant. The caller calls End when the work is done.
func New(ctx context.Context, at time.Time) *Context {
	return &Context{values: lasting(ctx), at: at}
}

// lasting returns the values of ctx without its end.
func lasting(ctx context.Context) context.Context {
	if c, ours := ctx.(*Context); ours {
		return c.values
	}
	if ctx.Done() == nil {
		return ctx
	}
	return context.WithoutCancel(ctx)
}

// Early returns what tells that ctx has ended before its deadline; nil if nothing does. It is for who minds the deadline by
// himself, and calls no End meanwhile.
func Early(ctx context.Context) <-chan struct{} {
	if _, ours := ctx.(*Context); ours {
		return nil
	}
	return ctx.Done()
}

// over is what a Context comes to that ended before anybody waited.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// Deadline implements [context.Context].
func (c *Context) Deadline() (time.Time, bool) { return c.at, true }

// Done implements [context.Context].
func (c *Context) Done() <-chan struct{} { return c.made().Done() }

// Err implements [context.Context].
func (c *Context) Err() error {
	c.mu.Lock()
	untouched := c.standard == nil
	c.mu.Unlock()
	if untouched && time.Now().Before(c.at) {
		return nil
	}
	return c.made().Err()
}

// Value implements [context.Context]. A context that is derived from c finds the standard one by it, and ends with that.
func (c *Context) Value(key any) any {
	c.mu.Lock()
	standard := c.standard
	c.mu.Unlock()
	if standard == nil || standard == over {
		return c.values.Value(key)
	}
	return standard.Value(key)
}

// made returns the standard one.
func (c *Context) made() context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.standard == nil {
		c.standard, c.cancel = context.WithDeadline(c.values, c.at)
	}
	return c.standard
}

// End ends it now. More than once is as once.
func (c *Context) End() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.standard == nil {
		c.standard = over
	}
	if c.cancel != nil {
		c.cancel()
	}
}
