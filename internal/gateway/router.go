package gateway

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Router hands messages to gateways. Safe for concurrent use.
type Router struct{}

// Route is a named gateway.
type Route struct {
	Name   string
	Driver Driver
}

// RouterOptions are what [NewRouter] needs.
type RouterOptions struct {
	// Routes are tried in order: the next one only where the message surely did not leave and the
	// fault is not the number's. At least one.
	Routes []Route
	// TryTimeout bounds one try, TotalTimeout all of them; 0: 5 s and 8 s.
	TryTimeout, TotalTimeout time.Duration
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
}

// NewRouter returns a Router.
func NewRouter(o RouterOptions) (*Router, error) { panic("unbuilt") }

// Send hands m on and returns which gateway took it, or a [*Error]. It does not watch ctx's
// cancellation (a client that hangs up leaves nobody in doubt), only its values.
func (r *Router) Send(ctx context.Context, m Message) (Accepted, error) { panic("unbuilt") }
