package policy

import (
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
	if err != nil {
		f.blame(root, all, err)
	}
	return set
}

// blame finds the rules that don't compile by compiling each alone; what shows only together is a fault
// of the whole file.
func (f file) blame(root place, all []rule, err error) {
	found := false
	for _, r := range all {
		if err := oneRule(r.Rule, f.sceneNames()); err != nil {
			r.at.fault(masked(err.Error()))
			found = true
		}
	}
	if !found {
		root.fault(masked(err.Error()))
	}
}

func oneRule(r throttle.Rule, scenes []string) error {
	_, err := throttle.Compile([]throttle.Rule{r}, scenes)
	return err
}

func (f file) sceneNames() []string {
	var names []string
	for _, s := range f.scenes {
		names = append(names, s.Name)
	}
	return names
}
