package policy

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"smsd/internal/gateway"
	"smsd/internal/sms"
)

// maxRoutes bounds the routes of the top, and of the section of an app: a message looks at each until one fits.
const maxRoutes = 64

const gatewaysWhat = "a list of gateways, tried in order, as [aliyun, tencent], or a mapping of gateways to weights, as {twilio: 80, vonage: 20}"

// route is a route and where it stands.
type route struct {
	sms.Route
	at     place
	scenes map[string]place // what names each of Scenes
}

func readRoutes(p place) []route {
	var routes []route
	for _, item := range p.list(maxRoutes, "a list of routes, as [{countries: [CN], gateways: [aliyun, tencent]}]") {
		if r, ok := readRoute(item); ok {
			routes = append(routes, r)
		}
	}
	return routes
}

func readRoute(p place) (route, bool) {
	o, ok := p.object("scenes", "countries", "gateways")
	if !ok {
		return route{}, false
	}
	o.require("gateways")
	o.notEmpty("scenes", "countries")
	r := route{at: p, Route: sms.Route{Countries: o.countries("countries").Named, Path: p.path, Line: p.node.Line}}
	if scenes, there := o.fields["scenes"]; there {
		r.readScenes(scenes)
	}
	if gateways, there := o.fields["gateways"]; there {
		r.Gateways = gateways.gatewayRoute()
	}
	return r, true
}

// readScenes reads a list of scenes. Whether there are such scenes is seen when all are read.
func (r *route) readScenes(p place) {
	names, at := p.names(maxScenes, "a list of scenes, as [login]", "the name of a scene", isName, nameRule)
	if r.scenes = at; len(names) > 0 {
		r.Scenes = set(names)
	}
}

// gatewayRoute reads the gateways of a route: a list, or a mapping to weights.
func (p place) gatewayRoute() gateway.Route {
	switch {
	case p.node.Kind == yaml.MappingNode:
		return p.weighted()
	case p.isEmpty(yaml.SequenceNode):
		p.fault("must name at least one")
	}
	names, _ := p.names(gateway.MaxRoute, gatewaysWhat, "the name of a gateway", gateway.IsName, gatewayNameRule)
	return gateway.Route{Gateways: names}
}

func (p place) weighted() (r gateway.Route) {
	entries := p.entries(gatewaysWhat)
	switch n := len(entries); {
	case n > gateway.MaxRoute:
		p.faultf("has %d gateways, at most %d are allowed", n, gateway.MaxRoute)
		return r
	case p.isEmpty(yaml.MappingNode):
		p.fault("must name at least one")
	}
	for _, e := range entries {
		if !gateway.IsName(e.name) {
			e.at.fault(gatewayNameRule)
			continue
		}
		weight := object{p, map[string]place{e.name: e.value}}.integer(e.name, 1, 1, gateway.MaxWeight)
		r.Gateways = append(r.Gateways, e.name)
		r.Weights = append(r.Weights, int(weight))
	}
	return r
}

// String writes the route in one line, as "scenes [login], countries [CN]: aliyun, tencent".
func (r route) String() string {
	var on, to []string
	for _, by := range []struct {
		word  string
		named map[string]bool
	}{{"scenes", r.Scenes}, {"countries", r.Countries}} {
		if by.named != nil {
			on = append(on, fmt.Sprintf("%s %s", by.word, slices.Sorted(maps.Keys(by.named))))
		}
	}
	if len(on) == 0 {
		on = []string{"every message"}
	}
	for i, name := range r.Gateways.Gateways {
		if len(r.Gateways.Weights) > 0 {
			name += fmt.Sprintf(" (%d)", r.Gateways.Weights[i])
		}
		to = append(to, name)
	}
	return strings.Join(on, ", ") + ": " + strings.Join(to, ", ")
}

func routesOf(all []route) (routes sms.Routes) {
	for _, r := range all {
		routes = append(routes, r.Route)
	}
	return routes
}

// Routes returns every route of p: its own, and those that the sections of apps state, by the apps' names.
func Routes(p *sms.Policy) sms.Routes {
	all := slices.Clone(p.Routes)
	for _, app := range slices.Sorted(maps.Keys(p.Apps)) {
		if own := p.Apps[app]; slices.Contains(own.Stated, routesKey) {
			all = append(all, own.Routes...)
		}
	}
	return all
}
