package gateway

import (
	"errors"
	"fmt"
	"math/rand/v2"
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

// Gateway is an account at a carrier, by the name that operators know it by.
type Gateway struct {
	// Name is as [IsName] says; unique.
	Name   string
	Driver Driver
	// Breaker keeps messages from the gateway while it fails, and those to a number that its carrier has just refused by its own limit.
	// A gateway that only plays a carrier does better without: there
	// failures are asked for, one by one.
	Breaker bool
	// Rate is how many messages a second it gets at most, Burst how many at once; 0: any, and a second's worth. What is over goes to
	// the next gateway of the route; at the last one it waits for its turn, for a second at most.
	Rate  float64
	Burst int
}

// RouterOptions are what [NewRouter] needs.
type RouterOptions struct {
	// Gateways are all that a [Route] may name. At least one.
	Gateways []Gateway
	// Default is the route of messages that come without one; zero: every gateway, in the order of Gateways.
	Default Route
	// TryTimeout bounds one try, TotalTimeout all of them; 0: 5 s and 8 s (or TryTimeout, if that is longer).
	TryTimeout, TotalTimeout time.Duration
	// MaxCalls bounds the calls to one gateway that run at the same time, those among them which overran
	// their deadline; a message over it goes to the next gateway. 0: 4,096.
	MaxCalls int
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
	// IntN draws a number from 0 to below n, n above 0, for the weights of routes and the pauses of breakers; safe for concurrent use.
	// nil: at random.
	IntN func(n int) int
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
	if o.IntN == nil {
		o.IntN = rand.IntN
	}
	if o.Default.IsZero() {
		o.Default = everyone(o.Gateways)
	}
}

// everyone is the route over all gateways, in order.
func everyone(all []Gateway) (r Route) {
	for _, g := range all {
		r.Gateways = append(r.Gateways, g.Name)
	}
	return r
}

func (o *RouterOptions) faults() error {
	var found []error
	if len(o.Gateways) == 0 {
		found = append(found, errors.New("gateway: no gateways: at least one is needed"))
	}
	seen := make(map[string]bool)
	for _, g := range o.Gateways {
		switch {
		case !IsName(g.Name):
			found = append(found, fmt.Errorf("gateway %q: a name is %s", g.Name, NameRule))
		case seen[g.Name]:
			found = append(found, fmt.Errorf("gateway %q: the name is taken", g.Name))
		case g.Driver == nil:
			found = append(found, fmt.Errorf("gateway %q: no driver", g.Name))
		case !(g.Rate >= 0) || g.Burst < 0:
			found = append(found, fmt.Errorf("gateway %q: a rate or a burst below 0", g.Name))
		}
		seen[g.Name] = true
	}
	if err := o.routeFault(seen); err != nil {
		found = append(found, err)
	}
	if o.TryTimeout < 0 || o.TotalTimeout < 0 || o.MaxCalls < 0 {
		found = append(found, errors.New("gateway: a time-out or a bound below 0"))
	}
	return errors.Join(found...)
}

// routeFault is what is wrong with the default route.
func (o *RouterOptions) routeFault(known map[string]bool) error {
	if o.Default.IsZero() && len(o.Gateways) > MaxRoute {
		return errors.New("gateway: with more than 8 gateways a default route is needed")
	}
	return o.Default.fault(known)
}
