package gatewaytest

import (
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
)

func TestDriverOverHTTP(t *testing.T) {
	t.Parallel()
	RunHTTP(t, harness(driver{}))
}

// What a driver with one fault is found in.
var (
	refused  = []string{"bad number", "throttled", "configuration", "content", "unavailable"}
	lost     = []string{"answer lost before acceptance", "answer lost after acceptance"}
	atRandom = "answers lost at random"
)

// quick is the pace of drivers that are known to be bad.
var quick = pace{notice: patience, slow: 10 * time.Millisecond}

// A suite that a bad driver passes is worth nothing: each of these has one fault, and each is found where it is to be found.
func TestBadDriversAreFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		driver driver
		trials []string // that must find something
		says   string
	}{
		"retries":                      {driver{retries: true}, slices.Concat(refused, lost, []string{"malformed answer", "answer: 502, a page", atRandom}), " 2 times"},
		"echoes what the carrier says": {driver{echoes: true}, slices.Concat(refused, lost, []string{"unreachable", "malformed answer", "context ends while it waits", "answer: 200, a page", "answer: 500, an error inside", "answer: a status that is none", atRandom}), "holds a number, a code, a text or a credential"},
		"wraps its errors":             {driver{wraps: true}, slices.Concat(refused, lost, []string{"unreachable", "malformed answer", "context ends while it waits", "answer: 200, empty", atRandom}), "want a *gateway.Error"},
		"takes no answer for not sent": {driver{optimist: true}, slices.Concat(lost, []string{"context ends while it waits", "answer: 200, cut short", "answer: not HTTP", atRandom}), "not sent"},
		"takes any answer for accepted": {driver{pessimist: true}, slices.Concat(refused, []string{
			"malformed answer", "answer: 200, empty", "answer: 200, null", "answer: 200, a list", "answer: 200, an error inside", "answer: 200, half an object",
			"answer: 200, too deep", "answer: 503, empty", "answer: 302"}), "Send returned no error"},
		"ignores its context":             {driver{deaf: true}, []string{"context ends while it waits", "context has ended before"}, "context"},
		"knows not when nothing was sent": {driver{timid: true}, []string{"unreachable"}, "Send says ambiguous, maybe sent; want temporary, not sent"},
		"gives every message the same id": {driver{oneID: true}, []string{"concurrent use"}, "under one ProviderID"},
		"follows redirects":               {driver{follows: true}, []string{"answer: 301", "answer: 302", "answer: 303", "answer: 307", "answer: 308"}, "followed a redirect to another host"},
		"reads without bounds":            {driver{unbounded: true}, []string{"answer: 200, without an end"}, "reads an answer without bounds"},
		"is content with half an answer":  {driver{half: true}, []string{"answer: 200, a chunk cut short"}, "Send returned no error"},
		"looks at the status alone":       {driver{byStatus: true}, []string{"malformed answer", "answer: 200, an error inside", "answer: 502, a page", "answer: 503, empty"}, "want ambiguous, maybe sent|Send returned no error"},
		"gives up early":                  {driver{hasty: time.Millisecond}, []string{"slow answer"}, "had given up"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wait := quick
			if c.driver.deaf {
				wait.notice = 10 * time.Millisecond // it notices never, so there is nothing to wait for
			}
			if c.driver.hasty > 0 {
				wait.slow = patience // it does not wait for that, and the carrier hears so
			}
			for _, tr := range harness(c.driver).trials() {
				if slices.Contains(c.trials, tr.name) {
					isFound(t, tr.name, tr.run(t, harness(c.driver).harness(), wait), c.says)
				}
			}
		})
	}
}

func isFound(t *testing.T, trial string, faults []string, says string) {
	t.Helper()
	text := strings.Join(faults, "\n")
	if !slices.ContainsFunc(strings.Split(says, "|"), func(s string) bool { return strings.Contains(text, s) }) {
		t.Errorf("%s: %q says nothing of %q", trial, faults, says)
	}
	if leaks(text, newMessage(gateway.Message{}.Phone, 0), []string{vendorKey}) {
		t.Errorf("%s: the fault itself holds what is hidden", trial)
	}
}

// A key that stands in an error gets past the router, which knows no keys, and into the log.
func TestTellingIsFoundBehindARouter(t *testing.T) {
	t.Parallel()
	for _, tr := range routed(trials) {
		if tr.scenario != Accepted && tr.scenario != Unreachable {
			isFound(t, tr.name, tr.run(t, harness(driver{tells: true}).harness(), quick), "a line of the log holds")
		}
	}
}

// A scenario that is not optional can't be left out.
func TestScenariosCannotBeLeftOut(t *testing.T) {
	t.Parallel()
	none := Harness{Open: func(*testing.T, *Vendor) gateway.Driver { return nil }}
	for _, tr := range trials {
		if !tr.optional && len(tr.run(t, none, quick)) == 0 {
			t.Errorf("%s can be left out", tr.name)
		}
	}
}
