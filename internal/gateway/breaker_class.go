package gateway

import (
	"errors"
	"time"
)

// A class of failures is what they say of a gateway, and has circuits of its own.
type class uint8

const (
	// outage: it is out of reach, overloaded, or does not say what became of a message.
	outage class = iota
	// misconfigured: it refuses the account, the signature, the template. That does not pass by itself.
	misconfigured
	classes
)

// String is the class as a metric's label.
func (c class) String() string {
	if c == misconfigured {
		return string(Configuration)
	}
	return "outage"
}

// reason is what a message is told that was not given to a gateway because of the class: surely it was not sent.
func (c class) reason() Reason {
	if c == misconfigured {
		return Configuration
	}
	return Temporary
}

// refusal is what a message is told that was not given to a gateway because of failure.
func (c class) refusal(failure *Error) *Error {
	return &Error{Reason: c.reason(), Sent: NotSent, Code: failure.Code, Err: errors.New("not asked for a while, since it failed: " + failure.cause())}
}

// verdict is what the end of a call says of the class.
func (c class) verdict(failure *Error) verdict {
	if failure == nil {
		return good
	}
	switch failure.Reason {
	case Temporary, Ambiguous:
		return [classes]verdict{outage: bad, misconfigured: mute}[c]
	case Configuration:
		return [classes]verdict{outage: good, misconfigured: bad}[c] // it answers
	}
	// The number, the way to it, the text or a limit: the carrier answers, and what it would say of another message is not known.
	return [classes]verdict{outage: good, misconfigured: mute}[c]
}

// triggers are those of each class.
var triggers = [classes]trigger{
	// Five in a row: more than the one or two that a restart at the carrier breaks. They are of three numbers at least, since a code
	// that no table has may depend on the number after all, and one person may try it again and again. A second is long beside a
	// moment's trouble; each probe that fails may be somebody's message, so after a while there are two or three a minute.
	outage: {inARow: 5, numbers: 3, enough: 20, shortest: time.Second, longest: 16 * time.Second},
	// At once: whatever a carrier holds against an account it holds against the next message too. But some codes depend on
	// the number after all: so within moments of a message that was accepted it takes three, and where a probe then comes
	// through, five times as many the next time.
	misconfigured: {inARow: 1, soon: 3, shortest: 5 * time.Second, longest: 30 * time.Second, learns: true},
}

// A scope is whom a circuit is for.
type scope uint8

const (
	ofGateway scope = iota
	ofCountry
	scopes
)

func (s scope) String() string {
	if s == ofCountry {
		return "country"
	}
	return "gateway"
}
