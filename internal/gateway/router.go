package gateway

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// What zero options stand for.
const (
	// DefaultTryTimeout bounds one try. Carriers answer within a second as a rule; people give up on a form
	// after ten.
	DefaultTryTimeout = 5 * time.Second
	// DefaultTotalTimeout bounds all tries of a message.
	DefaultTotalTimeout = 8 * time.Second
	// DefaultMaxCalls is about two seconds of the default process-wide limit of 2,000 sends a second: far
	// above what a carrier that answers will ever hold, and some 40 MB of stacks where one hangs.
	DefaultMaxCalls = 4096
)

// Router hands messages to gateways. Safe for concurrent use. Only [NewRouter] makes one that works.
type Router struct {
	lines  []*line
	budget time.Duration
	// shortest is the least time worth a try on another gateway: with less, a clear "not sent" would
	// become an "ambiguous".
	shortest time.Duration
}

// Gateway is an account at a carrier, by the name that operators know it by.
type Gateway struct {
	// Name is 1 to 32 of a-z, 0-9 and -; unique. It is a metric's label.
	Name   string
	Driver Driver
}

// RouterOptions are what [NewRouter] needs.
type RouterOptions struct {
	// Gateways are all that a [Route] may name. At least one.
	Gateways []Gateway
	// Default is the route of messages that come without one; zero: every gateway, in order.
	Default Route
	// TryTimeout bounds one try, TotalTimeout all of them; 0: 5 s and 8 s (or TryTimeout, if that is longer).
	TryTimeout, TotalTimeout time.Duration
	// MaxCalls bounds the calls to one gateway that run at the same time, those among them which overran
	// their deadline; a message over it goes to the next gateway. 0: 4,096.
	MaxCalls int
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
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
	r := &Router{budget: o.TotalTimeout, shortest: o.TryTimeout / 10}
	for _, g := range o.Gateways {
		r.lines = append(r.lines, newLine(g, o, metrics))
	}
	return r, nil
}

func (o *RouterOptions) setDefaults() {
	if o.TryTimeout == 0 {
		o.TryTimeout = DefaultTryTimeout
	}
	if o.TotalTimeout == 0 {
		o.TotalTimeout = max(DefaultTotalTimeout, o.TryTimeout)
	}
	if o.MaxCalls == 0 {
		o.MaxCalls = DefaultMaxCalls
	}
}

func (o *RouterOptions) faults() error {
	var found []error
	if len(o.Gateways) == 0 {
		found = append(found, errors.New("gateway: no gateways: at least one is needed"))
	}
	seen := make(map[string]bool)
	for _, g := range o.Gateways {
		switch {
		case !isName(g.Name):
			found = append(found, fmt.Errorf("gateway %q: a name is 1 to 32 of a-z, 0-9 and -", g.Name))
		case seen[g.Name]:
			found = append(found, fmt.Errorf("gateway %q: the name is taken", g.Name))
		case g.Driver == nil:
			found = append(found, fmt.Errorf("gateway %q: no driver", g.Name))
		}
		seen[g.Name] = true
	}
	if o.TryTimeout < 0 || o.TotalTimeout < 0 || o.MaxCalls < 0 {
		found = append(found, errors.New("gateway: a time-out or a bound below 0"))
	}
	return errors.Join(found...)
}

func isName(name string) bool {
	for _, c := range []byte(name) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return 1 <= len(name) && len(name) <= 32
}

// Budget returns the longest time that Send takes.
func (r *Router) Budget() time.Duration { return r.budget }

// Send hands a message on and returns which gateway took it, or a [*Error]. It does not watch ctx's
// cancellation (a client that hangs up leaves nobody in doubt), only its values. It returns within
// [Router.Budget], whatever the drivers do.
func (r *Router) Send(ctx context.Context, d Dispatch) (Accepted, error) {
	ctx, end := context.WithoutCancel(ctx), time.Now().Add(r.budget)
	var earlier *Error
	for _, l := range r.lines {
		left := time.Until(end)
		if earlier != nil && left < r.shortest {
			break
		}
		accepted, failure := l.try(ctx, d.to(l.name), left)
		if failure == nil {
			accepted.Gateway, accepted.Earlier = l.name, earlier
			return accepted, nil
		}
		failure.Gateway, failure.Earlier = l.name, earlier
		if !failure.elsewhere() {
			return Accepted{}, failure
		}
		earlier = failure
	}
	if earlier == nil {
		return Accepted{}, &Error{Reason: Configuration, Sent: NotSent, Err: errors.New("no gateways")}
	}
	return Accepted{}, earlier
}
