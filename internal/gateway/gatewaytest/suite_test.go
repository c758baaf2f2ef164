package gatewaytest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
)

func TestDriverOverHTTP(t *testing.T) { Run(t, harness(driver{})) }

// A suite that a bad driver passes is worth nothing: each of these has one fault, and each is found.
func TestBadDriversAreFound(t *testing.T) {
	for name, c := range map[string]struct {
		driver driver
		trials []string // that must find something, of all
		says   string
	}{
		"retries": {driver{retries: true}, []string{
			"bad number", "throttled", "configuration", "content", "unavailable",
			"answer lost before acceptance", "answer lost after acceptance", "malformed answer",
		}, "was reached 2 times"},
		"echoes what the carrier says": {driver{echoes: true}, []string{
			"bad number", "throttled", "configuration", "content", "unavailable", "unreachable",
			"answer lost before acceptance", "answer lost after acceptance", "malformed answer", "context ends while it waits",
		}, "holds a number, a code, a text or a credential"},
		"wraps its errors": {driver{wraps: true}, []string{
			"bad number", "throttled", "configuration", "content", "unavailable", "unreachable",
			"answer lost before acceptance", "answer lost after acceptance", "malformed answer", "context ends while it waits",
		}, "want a *gateway.Error"},
		"takes no answer for not sent": {driver{optimist: true}, []string{
			"answer lost before acceptance", "answer lost after acceptance", "context ends while it waits",
		}, "Send says temporary, not sent; want ambiguous, maybe sent"},
		"takes any answer for accepted": {driver{pessimist: true}, []string{
			"bad number", "throttled", "configuration", "content", "unavailable", "malformed answer",
		}, "Send returned no error"},
		"ignores its context": {driver{deaf: true}, []string{
			"context ends while it waits", "context has ended before",
		}, "context"},
		"knows not when nothing was sent": {driver{timid: true}, []string{"unreachable"}, "Send says ambiguous, maybe sent; want temporary, not sent"},
		"gives every message the same id": {driver{oneID: true}, []string{"concurrent use"}, "under one ProviderID"},
	} {
		t.Run(name, func(t *testing.T) {
			wait := patience
			if c.driver.deaf {
				wait = 10 * time.Millisecond // it notices never, so there is nothing to wait for
			}
			var found []string
			for _, tr := range trials {
				faults := tr.run(t, harness(c.driver), wait)
				if len(faults) == 0 {
					continue
				}
				found = append(found, tr.name)
				if !strings.Contains(strings.Join(faults, "\n"), c.says) {
					t.Errorf("%s: %q says nothing of %q", tr.name, faults, c.says)
				}
				if leaks(strings.Join(faults, "\n"), newMessage(gateway.Message{}.Phone, 0), []string{vendorKey}) {
					t.Errorf("%s: the fault itself holds what is hidden", tr.name)
				}
			}
			if !slices.Equal(found, c.trials) {
				t.Errorf("found in %q\nwant     %q", found, c.trials)
			}
		})
	}
}

// A scenario that is not optional can't be left out.
func TestScenariosCannotBeLeftOut(t *testing.T) {
	none := Harness{Open: func(*testing.T, *Vendor) gateway.Driver { return nil }}
	for _, tr := range trials {
		if !tr.optional && len(tr.run(t, none, patience)) == 0 {
			t.Errorf("%s can be left out", tr.name)
		}
	}
}
