package gateway

import "errors"

// Route is the order in which gateways are tried. The zero Route is none.
type Route struct {
	// Gateways are names, at most [MaxRoute], each once; the first is tried first.
	Gateways []string
	// Weights, where there are any, are one for each of Gateways, 1 to [MaxWeight]: each message draws its own order by them.
	Weights []int
}

// IsZero reports whether the route names nobody.
func (r Route) IsZero() bool { return len(r.Gateways) == 0 }

const (
	// MaxRoute is how many gateways a [Route] may name: more than one message could try in its time.
	MaxRoute = 8
	// MaxWeight is the largest weight of a gateway in a [Route]: parts in a thousand are fine enough.
	MaxWeight = 1000
)

// An order is the names of the gateways that may take one message, first to last; it stands on the stack.
type order struct {
	names [MaxRoute]string
	n     int
}

// order draws in which order the gateways of route are tried. With weights the first is drawn by them, and each that
// follows by those of the gateways that are left.
func (r *Router) order(route Route) order {
	if route.IsZero() {
		route = r.route
	}
	o := order{n: min(len(route.Gateways), MaxRoute)}
	copy(o.names[:], route.Gateways)
	if len(route.Weights) < o.n {
		return o
	}
	var weights [MaxRoute]int
	total := 0
	for i := range o.n {
		weights[i] = route.Weights[i]
		total += weights[i]
	}
	for i := range o.n {
		drawn := i + r.pick(weights[i:o.n], total)
		o.names[i], o.names[drawn] = o.names[drawn], o.names[i]
		weights[i], weights[drawn] = weights[drawn], weights[i]
		total -= weights[i]
	}
	return o
}

// pick draws one of weights, whose sum is total, and returns which.
func (r *Router) pick(weights []int, total int) int {
	if len(weights) == 1 || total <= 0 {
		return 0
	}
	at := r.intN(total)
	for i, weight := range weights {
		if at < weight {
			return i
		}
		at -= weight
	}
	return 0
}

// fault is what is wrong with a route over the gateways that known has; nil: nothing.
func (r Route) fault(known map[string]bool) error {
	if len(r.Gateways) > MaxRoute {
		return errors.New("gateway: a default route of more than 8 gateways")
	}
	seen := make(map[string]bool)
	for _, name := range r.Gateways {
		if !known[name] || seen[name] {
			return errors.New("gateway: the default route names a gateway that is not there, or one twice")
		}
		seen[name] = true
	}
	if n := len(r.Weights); n != 0 && n != len(r.Gateways) {
		return errors.New("gateway: the default route has not one weight for each gateway")
	}
	for _, weight := range r.Weights {
		if weight < 1 || weight > MaxWeight {
			return errors.New("gateway: a weight of the default route is not 1 to 1,000")
		}
	}
	return nil
}
