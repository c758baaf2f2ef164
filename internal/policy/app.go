package policy

import (
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// Bounds of the sections of apps.
const (
	// maxApps bounds what each new version of a policy makes the service work out.
	maxApps = 200
	// maxAllRules bounds the rules of all sections, inherited ones counted in each that has rules of its own. As many, in
	// sections of 64 scenes, take some 50 MB of plans, and half a second to compare each with each.
	maxAllRules = 4_096
)

// readApps reads the sections. What one leaves out it has from top.
func readApps(p place, top terms, now time.Time) []terms {
	entries := p.entries("a mapping of apps")
	switch {
	case len(entries) > maxApps:
		p.faultf("has %d apps, at most %d are allowed", len(entries), maxApps)
		return nil
	case p.isEmpty(yaml.MappingNode):
		p.fault("must hold at least one app; where none has terms of its own, leave it out")
	}
	var apps []terms
	for _, e := range entries {
		if !isName(e.name) {
			e.at.fault(nameRule)
		}
		if t, ok := readApp(e.value, e.name, now); ok {
			apps = append(apps, t.inherit(top))
		}
	}
	return apps
}

func readApp(p place, name string, now time.Time) (terms, bool) {
	o, ok := p.object(termsKeys...)
	if !ok {
		return terms{}, false
	}
	if p.isEmpty(yaml.MappingNode) {
		p.fault("must hold at least one of " + strings.Join(termsKeys, ", ") + "; an app without terms of its own needs no section")
	}
	t := readTerms(o, now)
	t.app = name
	for _, r := range t.all() {
		r.refuseOverAllApps()
	}
	return t, true
}

// inherit fills in what t leaves out, and the rules over all apps: they hold for every one, or no app could be told what
// they allow.
func (t terms) inherit(top terms) terms {
	if t.states(limitsKey) {
		t.beside = overAllApps(top.rules)
	} else {
		t.rules = inherited(top.rules)
	}
	if !t.states(scenesKey) {
		t.scenesAt = top.scenesAt
	}
	for _, s := range top.scenes {
		s.rules = inherited(s.rules)
		if t.states(scenesKey) {
			t.beside = append(t.beside, overAllApps(s.rules)...)
		} else {
			t.scenes = append(t.scenes, s)
		}
	}
	t.variables = extended(top.variables, t.variables)
	if !t.states(testNumbersKey) {
		t.tests = top.tests
	}
	if !t.states(localBlockKey) {
		t.local = top.local
	}
	if !t.states(routesKey) {
		t.routes = top.routes
	}
	if !t.states(pricesKey) {
		t.prices = top.prices
	}
	t.refuseTwins()
	return t
}

func inherited(rules []rule) []rule {
	all := make([]rule, 0, len(rules))
	for _, r := range rules {
		r.inherited = true
		all = append(all, r)
	}
	return all
}

func overAllApps(rules []rule) []rule {
	var shared []rule
	for _, r := range inherited(rules) {
		if r.OverAllApps() {
			shared = append(shared, r)
		}
	}
	return shared
}

// refuseTwins reports the rules of t that are called as one over all apps is.
func (t terms) refuseTwins() {
	lines := map[string]int{}
	for _, r := range t.beside {
		lines[r.Label()] = r.at.node.Line
	}
	for _, r := range t.stating() {
		if line, twice := lines[r.Label()]; twice && r.Name != "" {
			r.at.faultf("has the name of the rule on line %d, which counts over all apps and so is in force here too", line)
		}
	}
}

// refuseOverAllApps reports a rule of one app that would count over all of them.
func (r rule) refuseOverAllApps() {
	if r.by.node == nil || r.by.node.Kind != yaml.SequenceNode || len(r.by.node.Content) > len(r.By) || !r.OverAllApps() {
		return // what is wrong with its subjects is a fault already
	}
	fix := "[app]"
	if len(r.By) > 0 {
		fix = "[app, scene]"
	}
	r.by.fault("counts over all apps, and so must stand at the top of the file; write " + fix + " to count this app alone")
}

// whose is p with the app before its message, where its path does not say whose terms are meant.
func (t terms) whose(p place) place {
	if t.app != "" && !strings.HasPrefix(p.path, appsKey+".") {
		p.subject = "app \"" + masked(t.app) + "\": " + p.subject
	}
	return p
}
