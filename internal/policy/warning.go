package policy

import (
	"slices"

	"smsd/internal/phone"
	"smsd/internal/throttle"
)

// warn says what is allowed but hardly meant.
func (f file) warn() {
	if f.allRules() > maxAllRules {
		return // a fault, and comparing each with each would take long
	}
	for _, t := range f.each() {
		t.warn()
	}
	f.warnOfRoutes()
}

// warn says it of terms: of an app's, what is not said of the top's already.
func (t terms) warn() {
	if t.ownRules() {
		t.warnOfRules()
	}
	if t.ownRules() || t.states(localBlockKey) {
		t.local.warn(t)
	}
	if t.app == "" || t.states(scenesKey) || t.states(testNumbersKey) {
		t.warnOfTests()
	}
	if t.app == "" || t.states(pricesKey) {
		t.warnOfPrices()
	}
	t.warnOfTexts()
}

func (t terms) warnOfRules() {
	all := t.all()
	if len(all) > throttle.MaxRules {
		return // a fault too
	}
	for i, r := range all {
		switch {
		case r.inherited:
			t.warnIfCovered(all, i)
		case r.Mode == throttle.Off:
			r.at.warnf("is off")
		case !counts(r.Rule):
			r.warnIfMissing()
		default:
			t.warnIfCovered(all, i)
		}
	}
	for _, s := range t.scenes {
		t.warnOfScene(s, all)
	}
}

func (t terms) warnOfScene(s scene, all []rule) {
	if !slices.ContainsFunc(all, func(r rule) bool { return limitsSends(r.Rule, s.Name) }) {
		t.whose(s.at).warnf("no enforced rule counts sends by phone: one number can be sent messages without end")
	}
	own := t.app == "" || t.states(scenesKey)
	if own && s.DefaultRegion != "" && !s.Countries.All && !s.Countries.Named[s.DefaultRegion] {
		s.at.warnf("does not serve its default_region")
	}
}

// warnIfCovered warns of the rule at i if another one covers it; of two that cover each other, of the later. Two that
// were inherited were compared at the top.
func (t terms) warnIfCovered(all []rule, i int) {
	r := all[i]
	for j, other := range all {
		if j == i || r.inherited && other.inherited {
			continue
		}
		if covers(other.Rule, r.Rule) && (j < i || !covers(r.Rule, other.Rule)) {
			t.whose(r.at).warnf("can never bind: rule %q on line %d is always at least as strict", label(other.Scene, other.Name), other.at.node.Line)
			return
		}
	}
}

// warnOfTests warns of test numbers whose country or type no scene serves: by these alone a scene decides.
func (t terms) warnOfTests() {
	type line struct {
		country string
		kind    phone.Type
	}
	served := map[line]bool{}
	for _, n := range t.tests {
		l := line{n.number.Country(), n.number.Type()}
		if _, known := served[l]; !known {
			served[l] = slices.ContainsFunc(t.scenes, func(s scene) bool { return s.Serves(n.number) })
		}
		if !served[l] {
			t.whose(n.at).warnf("no scene serves this number: its country or its type is none of theirs")
		}
	}
}

func limitsSends(r throttle.Rule, scene string) bool {
	return r.On == throttle.Send && r.Mode == throttle.Enforce && slices.Contains(r.By, throttle.Phone) &&
		!slices.Contains(r.By, throttle.IP) && !slices.Contains(r.By, throttle.IPNet) &&
		!slices.Contains(r.By, throttle.Device) && (r.Scene == "" || r.Scene == scene)
}
