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

// covers reports whether strict refuses everything that r would, so that r never decides: it counts
// at least the same events for a subject that r's subject is part of, and lets no more of them pass.
func covers(strict, r throttle.Rule) bool {
	return strict.Mode == throttle.Enforce && counts(strict) && counts(r) && strict.On == r.On && wellFormed(strict) && wellFormed(r) &&
		(strict.Scene == "" || strict.Scene == r.Scene) && within(told(strict), told(r)) &&
		atLeastAsStrict(strict, r)
}

func wellFormed(r throttle.Rule) bool { return r.Limit > 0 && r.Window > 0 }

// implied are the kinds that follow from another one, so that who is one subject of this is one of those.
var implied = map[throttle.Kind][]throttle.Kind{
	throttle.Phone: {throttle.Prefix, throttle.Country},
	throttle.IP:    {throttle.IPNet},
}

// told returns the kinds that r tells apart, stated or implied: a rule of one scene counts that scene
// alone, and whoever is counted is counted for each app.
func told(r throttle.Rule) []throttle.Kind {
	var all []throttle.Kind
	for _, k := range r.By {
		all = append(append(all, k), implied[k]...)
		if k != throttle.Scene {
			all = append(all, throttle.App)
		}
	}
	if r.Scene != "" {
		all = append(all, throttle.Scene)
	}
	return all
}

func within(some, all []throttle.Kind) bool {
	return !slices.ContainsFunc(some, func(k throttle.Kind) bool { return !slices.Contains(all, k) })
}

// atLeastAsStrict compares what strict lets pass with what r needs to see before it refuses. A log lets
// at most Limit pass in a Window, a counter fewer than twice that. A log refuses after Limit events in one
// Window, a counter after as many in its two buckets.
func atLeastAsStrict(strict, r throttle.Rule) bool {
	passes, needs := strict.Limit, r.Window
	if strict.Counting() == throttle.Counter {
		if twins(strict, r) {
			return strict.Limit <= r.Limit
		}
		passes *= 2
	}
	if r.Counting() == throttle.Counter {
		needs *= 2
	}
	return passes <= r.Limit && strict.Window >= needs
}

// twins reports whether two rules count the same events in the same buckets.
func twins(a, b throttle.Rule) bool {
	return a.Counting() == b.Counting() && a.Window == b.Window && within(told(b), told(a))
}
