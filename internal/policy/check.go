package policy

import (
	"slices"

	"smsd/internal/sms"
)

// TestNumbersWithoutEnd returns how many of p's test numbers have no until: each is a code that anyone
// who learned it can use for good, so the production profile refuses them (iterate PR 1273).
func TestNumbersWithoutEnd(p *sms.Policy) int {
	n := 0
	for _, t := range p.TestNumbers {
		if t.Until.IsZero() {
			n++
		}
	}
	return n
}

// UnboundedCountries returns the names, in order, of the scenes that send to every country: the
// production profile wants them named.
func UnboundedCountries(p *sms.Policy) []string {
	var names []string
	for name, s := range p.Scenes {
		if s.Countries.All {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
