package gatewaytest

import (
	"slices"
	"testing"
	"time"

	"smsd/internal/gateway"
)

// patience is how long a Send may take to reach the carrier, and to notice that its context has ended.
// Nothing waits for it but a test that fails.
const patience = 10 * time.Second

// pace is how long a trial waits.
type pace struct {
	notice time.Duration // for a Send to notice that its context has ended
	slow   time.Duration // before a slow carrier answers
}

var usual = pace{notice: patience, slow: slowAnswer}

// Run proves that the drivers of h keep the contract of [gateway.Driver].
func Run(t *testing.T, h Harness) {
	for _, tr := range slices.Concat(trials, routed(trials)) {
		t.Run(tr.name, func(t *testing.T) {
			for _, fault := range tr.run(t, h, usual) {
				t.Error(fault)
			}
		})
	}
}

// A trial is one scenario and what is to be seen in it. check returns what is wrong.
type trial struct {
	name     string
	scenario Scenario
	optional bool
	// brief trials end by themselves, with one Send.
	brief bool
	check func(*bench) []string
}

var trials = []trial{
	{name: "accepted", scenario: Accepted, brief: true, check: takes},
	{name: "bad number", scenario: BadNumber, optional: true, brief: true, check: fails(gateway.BadNumber, gateway.NotSent)},
	{name: "throttled", scenario: Throttled, optional: true, brief: true, check: fails(gateway.Throttled, gateway.NotSent)},
	{name: "configuration", scenario: Configuration, optional: true, brief: true, check: fails(gateway.Configuration, gateway.NotSent)},
	{name: "content", scenario: Content, optional: true, brief: true, check: fails(gateway.Content, gateway.NotSent)},
	{name: "unavailable", scenario: Unavailable, optional: true, brief: true, check: fails(gateway.Temporary, gateway.NotSent)},
	{name: "unreachable", scenario: Unreachable, brief: true, check: fails(gateway.Temporary, gateway.NotSent)},
	{name: "answer lost before acceptance", scenario: LostBefore, brief: true, check: fails(gateway.Ambiguous, gateway.MaybeSent)},
	{name: "answer lost after acceptance", scenario: LostAfter, brief: true, check: fails(gateway.Ambiguous, gateway.MaybeSent)},
	{name: "malformed answer", scenario: Malformed, brief: true, check: fails(gateway.Ambiguous, gateway.MaybeSent)},
	{name: "context ends while it waits", scenario: Silent, check: endsWithItsContext},
	{name: "context has ended before", scenario: Accepted, check: doesNotStart},
	{name: "concurrent use", scenario: Accepted, check: takesManyAtOnce},
}

// bench is where a trial takes place.
type bench struct {
	t       *testing.T
	driver  gateway.Driver
	vendor  *Vendor
	message gateway.Message
	harness Harness
	pace    pace
}

func (tr trial) run(t *testing.T, h Harness, p pace) []string {
	v := newVendor(tr.scenario, p.slow)
	defer close(v.over)
	d := h.Open(t, v)
	switch {
	case d == nil && tr.optional:
		t.Skip("the carrier has nothing like it")
	case d == nil:
		return []string{"Open returned nil for the scenario " + string(tr.scenario) + ", which is not optional"}
	}
	return tr.check(&bench{t: t, driver: d, vendor: v, message: h.message(0), harness: h, pace: p})
}
