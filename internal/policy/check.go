package policy

import (
	"maps"
	"slices"

	"smsd/internal/sms"
)

// TestNumbersWithoutEnd returns how many of p's test numbers, those of apps included, have no until: each is a code that
// anyone who learned it can use for good, so the production profile refuses them (iterate PR 1273).
func TestNumbersWithoutEnd(p *sms.Policy) int {
	n := withoutEnd(p)
	for _, own := range p.Apps {
		if slices.Contains(own.Stated, testNumbersKey) {
			n += withoutEnd(own)
		}
	}
	return n
}

func withoutEnd(p *sms.Policy) (n int) {
	for _, t := range p.TestNumbers {
		if t.Until.IsZero() {
			n++
		}
	}
	return n
}

// UnboundedCountries returns the names, in order, of the scenes that send to every country: the
// production profile wants them named. That of an app's is as "apps.shop.scenes.login".
func UnboundedCountries(p *sms.Policy) []string {
	names := unbounded(p, "")
	for _, app := range slices.Sorted(maps.Keys(p.Apps)) {
		if own := p.Apps[app]; slices.Contains(own.Stated, scenesKey) {
			names = append(names, unbounded(own, appsKey+"."+app+"."+scenesKey+".")...)
		}
	}
	return names
}

func unbounded(p *sms.Policy, before string) []string {
	var names []string
	for name, s := range p.Scenes {
		if s.Countries.All {
			names = append(names, before+name)
		}
	}
	slices.Sort(names)
	return names
}
