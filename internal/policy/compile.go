package policy

import (
	"errors"
	"slices"

	"smsd/internal/throttle"
)

// compile compiles the rules of the top and of each app, unless faults were found already. What throttle refuses
// beyond what was checked here is a fault of the rule's line.
func (f file) compile() []*throttle.RuleSet {
	scenes := f.sceneNames()
	f.refuseTooMany(scenes)
	if f.top.at.report == nil || len(f.top.at.report.faults) > 0 {
		return nil
	}
	var sets []*throttle.RuleSet
	for _, t := range f.each() {
		if !t.ownRules() {
			sets = append(sets, sets[0])
			continue
		}
		sets = append(sets, t.compile(scenes))
	}
	return sets
}

// refuseTooMany reports more rules or scenes than are allowed.
func (f file) refuseTooMany(scenes []string) {
	for _, t := range f.each() {
		if n := len(t.all()); n > throttle.MaxRules && t.ownRules() {
			t.at.faultf("has %d rules in all, at most %d are allowed", n, throttle.MaxRules)
		}
	}
	if n := f.allRules(); n > maxAllRules {
		f.at.faultf("has %d rules over all apps, inherited ones included; at most %d are allowed", n, maxAllRules)
	}
	if n := len(scenes); n > throttle.MaxScenes {
		f.at.faultf("has, with the top of the file, scenes of %d names; at most %d are allowed", n, throttle.MaxScenes)
	}
}

// allRules is how many rules the apps have whose rules are their own.
func (f file) allRules() (n int) {
	for _, t := range f.apps {
		if t.ownRules() {
			n += len(t.all())
		}
	}
	return n
}

// sceneNames returns the name of every scene of the file once.
func (f file) sceneNames() []string {
	var names []string
	for _, t := range f.each() {
		names = append(names, t.sceneNames()...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// compile compiles the rules of t beside those of others, who have the scenes.
func (t terms) compile(scenes []string) *throttle.RuleSet {
	all := t.all()
	var rules []throttle.Rule
	for _, r := range all {
		rules = append(rules, r.Rule)
	}
	set, err := throttle.CompileBeside(rules, t.sceneNames(), scenes)
	for _, err := range each(err) {
		t.blame(all, err)
	}
	return set
}

// each returns the faults that were joined to err.
func each(err error) []error {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		return joined.Unwrap()
	}
	return []error{err}
}

// blame reports a fault of a rule at the rule, and one of the scenes' names, which is the same for every app, once.
func (t terms) blame(all []rule, err error) {
	fault, ok := errors.AsType[*throttle.RuleError](err)
	if !ok || fault.Index >= len(all) {
		if t.app == "" {
			t.scenesAt.fault(masked(err.Error()))
		}
		return
	}
	at := all[fault.Index].at
	at.path += "." + fault.Field
	at.fault(masked(fault.Text))
}
