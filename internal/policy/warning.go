package policy

import (
	"slices"

	"smsd/internal/throttle"
)

// warn says what is allowed but hardly meant.
func (f file) warn() {
	all := f.all()
	if len(all) > throttle.MaxRules {
		return // a fault, and comparing each with each would take long
	}
	for i, r := range all {
		switch {
		case r.Mode == throttle.Off:
			r.at.warnf("is off")
		case !counts(r.Rule):
			r.warnIfMissing()
		default:
			warnIfCovered(all, i)
		}
	}
	for _, s := range f.scenes {
		s.warn(all)
	}
	f.local.warn(all)
	for _, t := range f.tests {
		if !slices.ContainsFunc(f.scenes, func(s scene) bool { return s.Serves(t.number) }) {
			t.at.warnf("no scene serves this number: its country or its type is none of theirs")
		}
	}
}

func (s scene) warn(all []rule) {
	if !slices.ContainsFunc(all, func(r rule) bool { return limitsSends(r.Rule, s.Name) }) {
		s.at.warnf("no enforced rule counts sends by phone: one number can be sent messages without end")
	}
	if s.DefaultRegion != "" && !s.Countries.All && !s.Countries.Named[s.DefaultRegion] {
		s.at.warnf("does not serve its default_region")
	}
}

// warnIfCovered warns of the rule at i if another one covers it; of two that cover each other, of the later.
func warnIfCovered(all []rule, i int) {
	for j, other := range all {
		if j != i && covers(other.Rule, all[i].Rule) && (j < i || !covers(all[i].Rule, other.Rule)) {
			all[i].at.warnf("can never bind: rule %q on line %d is always at least as strict", label(other.Scene, other.Name), other.at.node.Line)
			return
		}
	}
}

func limitsSends(r throttle.Rule, scene string) bool {
	return r.On == throttle.Send && r.Mode == throttle.Enforce && slices.Contains(r.By, throttle.Phone) &&
		!slices.Contains(r.By, throttle.IP) && !slices.Contains(r.By, throttle.IPNet) &&
		!slices.Contains(r.By, throttle.Device) && (r.Scene == "" || r.Scene == scene)
}
