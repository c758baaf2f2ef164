package gateway

import (
	"context"
	"sync"
	"time"
)

// A deadline is a context that ends at an instant, or with end, just as one of [context.WithDeadline] does. It makes such a one
// as soon as somebody waits for it or derives another from it, and so costs no timer where a driver looks at most whether there
// is time left. Safe for concurrent use.
type deadline struct {
	values context.Context // of which it has them; that one never ends
	at     time.Time

	mu       sync.Mutex
	standard context.Context // nil until it matters
	cancel   context.CancelFunc
}

var _ context.Context = (*deadline)(nil)

// over is what a deadline comes to that ended before anybody waited.
var over = func() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}()

// Deadline implements [context.Context].
func (d *deadline) Deadline() (time.Time, bool) { return d.at, true }

// Done implements [context.Context].
func (d *deadline) Done() <-chan struct{} { return d.made().Done() }

// Err implements [context.Context].
func (d *deadline) Err() error {
	d.mu.Lock()
	untouched := d.standard == nil
	d.mu.Unlock()
	if untouched && time.Now().Before(d.at) {
		return nil
	}
	return d.made().Err()
}

// Value implements [context.Context]. Contexts that are derived from d find the standard one by it, and end with that.
func (d *deadline) Value(key any) any {
	d.mu.Lock()
	standard := d.standard
	d.mu.Unlock()
	if standard == nil || standard == over {
		return d.values.Value(key)
	}
	return standard.Value(key)
}

// made returns the standard one.
func (d *deadline) made() context.Context {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.standard == nil {
		d.standard, d.cancel = context.WithDeadline(d.values, d.at)
	}
	return d.standard
}

// end ends it now.
func (d *deadline) end() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.standard == nil {
		d.standard = over
	}
	if d.cancel != nil {
		d.cancel()
	}
}
