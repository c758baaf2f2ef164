package httpapi

import (
	"errors"
	"testing"
	"time"
)

// keyProblems is how the rows of the problem table that are about keys are reached.
func keyProblems(t *testing.T) map[string]func() *reply {
	a, entries := newOnceAPI(t)
	return map[string]func() *reply{
		"request_in_progress": func() *reply {
			entries.set(entries.before, "finish", errors.New("away"))
			a.sendUnder("k", alice)
			return a.sendUnder("k", alice)
		},
		"idempotency_mismatch": func() *reply {
			a.sendUnder("k2", "+8613900139000")
			return a.sendUnder("k2", "+8613700137000")
		},
		"outcome_unknown": func() *reply {
			a.clock.Advance(time.Hour)
			return a.sendUnder("k", alice)
		},
	}
}
