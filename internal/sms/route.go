package sms

import "smsd/internal/gateway"

// Routes say which gateways may take a message. The first one that fits counts; where none does, it is the gateways'
// own default route.
type Routes []Route

// Route names the gateways for the messages of some scenes to some countries.
type Route struct {
	Scenes    map[string]bool // nil: every scene
	Countries map[string]bool // ISO 3166, or phone.World; nil: every country
	Gateways  gateway.Route
	// Path and Line are where it stands in the policy's text, for people.
	Path string
	Line int
}

// For returns the route of a message, zero if none fits. It allocates nothing.
func (r Routes) For(scene, country string) gateway.Route {
	for i := range r {
		if r[i].fits(scene, country) {
			return r[i].Gateways
		}
	}
	return gateway.Route{}
}

func (r *Route) fits(scene, country string) bool {
	return (r.Scenes == nil || r.Scenes[scene]) && (r.Countries == nil || r.Countries[country])
}
