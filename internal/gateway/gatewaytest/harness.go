package gatewaytest

import (
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/phone"
)

// Scenario is how the fake carrier behaves.
type Scenario string

// The scenarios. A carrier may lack those marked optional; then [Harness.Open] returns nil.
const (
	Accepted      Scenario = "accepted"      // takes the message, and says so; ids differ
	BadNumber     Scenario = "bad_number"    // optional: says that it can't reach this number
	Throttled     Scenario = "throttled"     // optional: says that this number has had enough
	Configuration Scenario = "configuration" // optional: says that key, signature, template or balance won't do
	Content       Scenario = "content"       // optional: says that it does not like the text
	Unavailable   Scenario = "unavailable"   // optional: says that it can't take messages now
	Unreachable   Scenario = "unreachable"   // nobody listens at its address
	LostBefore    Scenario = "lost_before"   // reads the request, takes nothing, and hangs up without an answer
	LostAfter     Scenario = "lost_after"    // takes the message, and hangs up without an answer
	Malformed     Scenario = "malformed"     // takes the message, and answers with gibberish
	Silent        Scenario = "silent"        // takes the message, and does not answer before [Vendor.Over]
)

// Harness makes what the suite tests.
type Harness struct {
	// Open returns a driver in front of a carrier that behaves as v.Scenario says, or nil if the scenario
	// is optional and the carrier has nothing like it. What it opens it closes with t.Cleanup.
	Open func(t *testing.T, v *Vendor) gateway.Driver
	// Secrets are the credentials that the drivers of Open hold, also in the form in which they travel
	// together, as user:password; no error may hold one.
	Secrets []string
	// Phone is a number that the carrier serves; zero: +86 138 0013 8000.
	Phone phone.Number
	// Template is what m is sent by, for carriers that keep the text themselves; nil: none.
	Template func(m gateway.Message) gateway.Template
}

// message returns the i-th message of the suite.
func (h Harness) message(i int) gateway.Message {
	m := newMessage(h.Phone, i)
	if h.Template != nil {
		m.Template = h.Template(m)
	}
	return m
}

// Vendor is what the fake carrier knows of the test. Safe for concurrent use.
type Vendor struct {
	Scenario Scenario

	sends   atomic.Int64
	arrived chan struct{} // closed by the first send
	slow    time.Duration // how long a slow carrier takes
	over    chan struct{}
	heard
}

// heard is what the suite's own servers note.
type heard struct {
	strayed   atomic.Int64 // requests to another host
	swallowed atomic.Bool  // an answer without an end was read further than any driver may
	lot       lot
}

func newVendor(s Scenario, slow time.Duration) *Vendor {
	return &Vendor{Scenario: s, slow: slow, arrived: make(chan struct{}), over: make(chan struct{})}
}

// Reached notes that a send has arrived, and returns how many that makes. The carrier calls it once for
// each, when it has read the request and before it answers.
func (v *Vendor) Reached() int64 {
	n := v.sends.Add(1)
	if n == 1 {
		close(v.arrived)
	}
	return n
}

// Over is closed when the test is over, so that a [Silent] carrier need not be silent for ever.
func (v *Vendor) Over() <-chan struct{} { return v.over }
