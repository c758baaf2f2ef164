package mock

import (
	"errors"
	"time"

	"smsd/internal/gateway"
)

// The kinds of fault.
const (
	Reject              = "reject"                // this number can't be reached
	Throttle            = "throttle"              // the carrier's own limit, for a minute
	Unavailable         = "unavailable"           // surely not sent
	TimeoutBeforeAccept = "timeout_before_accept" // no answer; the message was not taken, but nobody can tell
	TimeoutAfterAccept  = "timeout_after_accept"  // no answer; the message was taken, but nobody can tell
	Malformed           = "malformed"             // the message was taken, and the answer is gibberish
	Slow                = "slow"                  // the message is taken at once, and the answer takes its time
)

// accepted is how a gateway without a fault behaves.
const accepted = ""

// throttleWait is the wait that a throttled message is told.
const throttleWait = time.Minute

// kind is how the gateway behaves under one kind of fault.
type kind struct {
	name string
	// takes says whether the message gets into the inbox.
	takes bool
	// delays says whether a fault of this kind may hold up the answer, and usually by how much.
	delays bool
	usual  time.Duration
	// reason, sent, wait and cause are the error; no reason: none.
	reason gateway.Reason
	sent   gateway.Sent
	wait   time.Duration
	cause  string
}

var kinds = []kind{
	{name: accepted, takes: true},
	{name: Reject, reason: gateway.BadNumber, sent: gateway.NotSent, cause: "the carrier rejects the number"},
	{name: Throttle, reason: gateway.Throttled, sent: gateway.NotSent, wait: throttleWait, cause: "the carrier's limit is reached"},
	{name: Unavailable, reason: gateway.Temporary, sent: gateway.NotSent, cause: "the connection was refused"},
	{name: TimeoutBeforeAccept, delays: true, reason: gateway.Ambiguous, cause: "no answer came"},
	{name: TimeoutAfterAccept, takes: true, delays: true, reason: gateway.Ambiguous, cause: "no answer came"},
	{name: Malformed, takes: true, reason: gateway.Ambiguous, cause: "the answer can't be understood"},
	{name: Slow, takes: true, delays: true, usual: 2 * time.Second},
}

// FaultKinds returns the kinds of fault, in the order of the table above.
func FaultKinds() []string {
	var names []string
	for _, k := range kinds {
		if k.name != accepted {
			names = append(names, k.name)
		}
	}
	return names
}

// kindOf returns the row of name, or that of accepted.
func kindOf(name string) kind {
	for _, k := range kinds {
		if k.name == name {
			return k
		}
	}
	return kinds[0]
}

func (k kind) failure() error {
	return &gateway.Error{Reason: k.reason, Sent: k.sent, RetryAfter: k.wait, Err: errors.New(k.cause)}
}
