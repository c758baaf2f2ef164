package sms

import (
	"slices"
	"testing"

	"smsd/internal/records"
)

// What an attempt can end as is what decisions can be asked for, word for word.
func TestOutcomesAreThoseOfTheDecisionLog(t *testing.T) {
	t.Parallel()
	var all []string
	for _, o := range []outcome{outcomeAccepted, outcomeUnknown, outcomeVerified, outcomeInvalid, outcomePhone, outcomeIncorrect, outcomeRefused, outcomeCarrier, outcomeInternal} {
		all = append(all, o.label)
	}
	for _, e := range endings {
		all = append(all, e.outcome.label)
	}
	listed := records.Outcomes()
	slices.Sort(all)
	slices.Sort(listed)
	if !slices.Equal(all, listed) {
		t.Errorf("attempts end as %q, and decisions can be asked for %q", all, listed)
	}
}
