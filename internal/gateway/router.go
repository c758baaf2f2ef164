package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Router hands messages to gateways. Safe for concurrent use. Only [NewRouter] makes one that works.
type Router struct {
	lines   map[string]*line
	route   Route // of messages without one
	metrics *metrics
	intN    func(n int) int
	budget  time.Duration
	// shortest is the least time worth a try on another gateway: with less, a clear "not sent" would
	// become an "ambiguous".
	shortest time.Duration
}

// NewRouter returns a Router, or every fault of o at once.
func NewRouter(o RouterOptions) (*Router, error) {
	if err := o.faults(); err != nil {
		return nil, err
	}
	o.setDefaults()
	metrics, err := newMetrics(o.Registerer)
	if err != nil {
		return nil, fmt.Errorf("gateway: metrics: %w", err)
	}
	r := &Router{
		lines: make(map[string]*line), route: o.Default, metrics: metrics, intN: o.IntN,
		budget: o.TotalTimeout, shortest: o.TryTimeout / 10,
	}
	for _, g := range o.Gateways {
		l := newLine(g, o, metrics)
		r.lines[g.Name] = l
		if err := register(o.Registerer, l.gauges()...); err != nil {
			return nil, fmt.Errorf("gateway %s: metrics: %w", g.Name, err)
		}
	}
	return r, nil
}

// Close lets go of the goroutines that wait for calls. It waits for none that runs, which ends with its driver; a message that is
// sent after it is sent all the same. More than once is as once.
func (r *Router) Close() {
	for _, l := range r.lines {
		l.workers.close()
	}
}

// Budget returns the longest time that Send takes.
func (r *Router) Budget() time.Duration { return r.budget }

// Send hands a message on and returns which gateway took it, or a [*Error]. It does not watch ctx's
// cancellation (a client that hangs up leaves nobody in doubt), only its values. It returns within
// [Router.Budget], whatever the drivers do.
func (r *Router) Send(ctx context.Context, d Dispatch) (Accepted, error) {
	end := time.Now().Add(r.budget)
	to := r.order(d.Route)
	var earlier *Error
	for i, name := range to.names[:to.n] {
		left := time.Until(end)
		if earlier != nil {
			if left < r.shortest {
				break
			}
			r.metrics.failover(earlier)
		}
		accepted, failure := r.try(ctx, name, d, left, i == to.n-1)
		if failure == nil {
			accepted.Gateway, accepted.Earlier = name, earlier
			return accepted, nil
		}
		failure.Gateway, failure.Earlier = name, earlier
		if !failure.elsewhere() {
			return Accepted{}, failure
		}
		earlier = failure
	}
	return Accepted{}, earlier
}

var errUnknown = errors.New("the route names a gateway that is not there")

func (r *Router) try(ctx context.Context, name string, d Dispatch, left time.Duration, last bool) (Accepted, *Error) {
	l := r.lines[name]
	if l == nil {
		return Accepted{}, &Error{Reason: Configuration, Sent: NotSent, Err: errUnknown}
	}
	return l.try(ctx, d.to(name), d.Late, left, last)
}
