package policy

import (
	"errors"

	"smsd/internal/throttle"
)

// compile compiles the rules, unless faults were found already. What throttle refuses beyond what was
// checked here is a fault of the rule's line.
func (f file) compile(root place) *throttle.RuleSet {
	all := f.all()
	if len(all) > throttle.MaxRules {
		root.faultf("has %d rules in all, at most %d are allowed", len(all), throttle.MaxRules)
	}
	if len(root.report.faults) > 0 {
		return nil
	}
	var rules []throttle.Rule
	for _, r := range all {
		rules = append(rules, r.Rule)
	}
	set, err := throttle.Compile(rules, f.sceneNames())
	for _, err := range each(err) {
		f.blame(all, err)
	}
	return set
}

func (f file) sceneNames() []string {
	var names []string
	for _, s := range f.scenes {
		names = append(names, s.Name)
	}
	return names
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

// blame reports a fault of a rule at the rule, and one of the scenes' names as a fault of the scenes.
func (f file) blame(all []rule, err error) {
	fault, ok := errors.AsType[*throttle.RuleError](err)
	if !ok || fault.Index >= len(all) {
		f.at.fault(masked(err.Error()))
		return
	}
	at := all[fault.Index].at
	at.path += "." + fault.Field
	at.fault(masked(fault.Text))
}
