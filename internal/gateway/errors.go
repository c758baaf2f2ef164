package gateway

import (
	"slices"
	"time"
)

// Reason is why a message was not accepted: a closed list, also a metric's label.
type Reason string

// The reasons.
const (
	BadNumber     Reason = "bad_number"    // this number can't be reached
	NoRoute       Reason = "no_route"      // this account has no way to this number; another one may have
	Throttled     Reason = "throttled"     // the carrier's own limit on this number
	Configuration Reason = "configuration" // signature, template, balance, address not allowed
	Temporary     Reason = "temporary"     // surely not sent, may go later or elsewhere
	Ambiguous     Reason = "ambiguous"     // nobody can tell
	Content       Reason = "content"       // the carrier does not like the text
)

// Reasons returns every reason, in the order above.
func Reasons() []Reason {
	return []Reason{BadNumber, NoRoute, Throttled, Configuration, Temporary, Ambiguous, Content}
}

// Sent says whether the message may have left. The zero Sent is MaybeSent: who does not know must not
// send again.
type Sent uint8

// The two answers.
const (
	MaybeSent Sent = iota // never refunded, never sent again
	NotSent               // refunded; another gateway may be tried
)

// String returns "maybe sent" or "not sent".
func (s Sent) String() string {
	if s == NotSent {
		return "not sent"
	}
	return "maybe sent"
}

// Error is a message that was not surely accepted. Its text holds no number, code or secret: drivers keep
// them out of Err, and the [Router] drops a cause in which it finds the number, the code or the text.
type Error struct {
	Reason Reason
	Sent   Sent
	// RetryAfter is the carrier's wait with Throttled; 0 if it named none.
	RetryAfter time.Duration
	// Code is the carrier's own word for the reason, for the record; "" if it said none that [IsCode].
	Code string
	// Err is the cause, for the log; may be nil. Beware of what holds a request: the text of a
	// [net/url.Error] is the whole URL, and carriers echo the number in their answers.
	Err error

	// Gateway is the name of the gateway that failed; the Router fills it in.
	Gateway string
	// Earlier is the failure of the gateway tried before this one, nil if this was the first; the Router
	// fills it in.
	Earlier *Error
}

// Error names the gateway, the reason, the cause, and the failures before it.
func (e *Error) Error() string {
	text := "gateway"
	if e.Gateway != "" {
		text += " " + e.Gateway
	}
	text += ": " + string(e.Reason)
	if e.Sent == MaybeSent {
		text += ", maybe sent"
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	if e.Earlier != nil {
		text += "; before it, " + e.Earlier.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// cause is the reason and what the driver says of it.
func (e *Error) cause() string {
	if e.Err == nil {
		return string(e.Reason)
	}
	return string(e.Reason) + ": " + e.Err.Error()
}

// elsewhere reports whether another gateway may be tried: the message surely did not leave, and the fault
// is neither the number's nor the text's, nor a limit that other carriers have as well (a failover there
// would carry a flood from one carrier to the next).
func (e *Error) elsewhere() bool {
	return e.Sent == NotSent && e.Reason != BadNumber && e.Reason != Throttled && e.Reason != Content
}

// checked returns e as the Router may rely on it: a reason of the list, no negative wait, and MaybeSent
// wherever e contradicts itself. It is a copy, since a driver may return the same *Error each time.
func (e *Error) checked() *Error {
	c := *e
	if !slices.Contains(Reasons(), c.Reason) {
		c.Reason = Ambiguous
	}
	if c.Reason == Ambiguous {
		c.Sent = MaybeSent
	}
	if c.Sent != NotSent {
		c.Sent = MaybeSent
	}
	c.RetryAfter = max(0, c.RetryAfter)
	if !IsCode(c.Code) {
		c.Code = ""
	}
	c.Gateway, c.Earlier = "", nil
	return &c
}
