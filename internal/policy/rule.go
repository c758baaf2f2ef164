package policy

import (
	"fmt"
	"time"

	"smsd/internal/throttle"
)

// rule is a rule and where it stands.
type rule struct {
	throttle.Rule
	at, by    place
	inherited bool // from the top, by the section of an app
}

var kinds = kindChoices()

func kindChoices() (all choices[throttle.Kind]) {
	for _, k := range throttle.Kinds() {
		all = append(all, choice[throttle.Kind]{k.String(), k})
	}
	return all
}

var events = choices[throttle.Event]{
	{"send", throttle.Send}, {"verify", throttle.Verify}, {"guess", throttle.Guess},
}

var algorithms = choices[throttle.Algorithm]{
	{"log", throttle.Log}, {"counter", throttle.Counter}, {"bucket", throttle.Bucket}, {"fixed", throttle.Fixed},
}

var modes = choices[throttle.Mode]{{"enforce", throttle.Enforce}, {"shadow", throttle.Shadow}, {"off", throttle.Off}}

var windows = span{throttle.MinWindow, throttle.MaxWindow, time.Millisecond}

// readRules reads a list of limits, of one scene or ("") of every scene.
func readRules(p place, scene string) []rule {
	var rules []rule
	first := map[string]place{} // by name
	for _, item := range p.list(throttle.MaxRules, "a list of rules") {
		r, ok := readRule(item, scene)
		if !ok {
			continue
		}
		if twin, twice := first[r.Name]; twice {
			r.at.faultf("has the name of the rule on line %d", twin.node.Line)
			continue
		}
		if r.Name != "" {
			first[r.Name] = r.at
		}
		rules = append(rules, r)
	}
	return rules
}

// readRule reads one rule. What is missing or wrong in it is zero.
func readRule(p place, scene string) (r rule, ok bool) {
	p.subject = ruleSubject(p, scene)
	o, ok := p.object("name", "by", "limit", "window", "on", "algorithm", "mode", "burst")
	if !ok {
		return rule{}, false
	}
	o.require("name", "by", "limit", "window")
	algorithm := choose(o, "algorithm", throttle.Auto, algorithms)
	read := throttle.Rule{
		Name:      o.name("name"),
		By:        picks(o, "by", nil, kinds),
		Scene:     scene,
		On:        choose(o, "on", throttle.Send, events),
		Limit:     o.integer("limit", 0, 1, mostOf(algorithm)),
		Window:    o.duration("window", 0, windows),
		Algorithm: algorithm,
		Mode:      choose(o, "mode", throttle.Enforce, modes),
	}
	read.Burst = o.burst(read)
	return rule{Rule: read, at: p, by: o.fields["by"]}, true
}

// burst reads how many events r takes at once, if it is a bucket.
func (o object) burst(r throttle.Rule) int64 {
	p, there := o.fields["burst"]
	if _, named := o.fields["algorithm"]; r.Algorithm != throttle.Bucket {
		if there && (r.Algorithm != throttle.Auto || !named) { // else the algorithm is a fault itself
			p.fault("must be left out: only algorithm bucket has one")
		}
		return 0
	}
	burst := o.integer("burst", 0, 1, throttle.MaxLimit)
	if r.Limit == 0 || r.Window == 0 {
		return burst
	}
	if most := throttle.MostBurst(r.Limit, r.Window); burst > most {
		p.faultf("must be at most %d: more would take longer than %s to leak", most, written(throttle.MaxWindow))
		return 0
	}
	return burst
}

func mostOf(a throttle.Algorithm) int64 {
	if a == throttle.Log {
		return throttle.MaxLogLimit
	}
	return throttle.MaxLimit
}

func (o object) name(key string) string {
	p, there := o.fields[key]
	if !there {
		return ""
	}
	text, ok := p.text("a name")
	if ok && !isName(text) {
		p.fault(nameRule)
		return ""
	}
	return text
}

// ruleSubject names the rule that stands at p, before p is read as one.
func ruleSubject(p place, scene string) string {
	below := p.children()
	for i := 0; i+1 < len(below); i += 2 {
		if name := below[i+1].node.Value; below[i].node.Value == "name" && isName(name) {
			return fmt.Sprintf("rule %q: ", label(scene, name))
		}
	}
	return ""
}

// label is [throttle.Rule.Label], as a fault may print it.
func label(scene, name string) string {
	if !isName(scene) { // none, or a fault itself
		return masked(name)
	}
	return masked(scene) + "/" + masked(name)
}
