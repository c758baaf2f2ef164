package gateway

import "time"

// Reason is why a message was not accepted: a closed list, also a metric's label.
type Reason string

// The reasons.
const (
	BadNumber     Reason = "bad_number"    // this number can't be reached
	Throttled     Reason = "throttled"     // the carrier's own limit on this number
	Configuration Reason = "configuration" // signature, template, balance, address not allowed
	Temporary     Reason = "temporary"     // surely not sent, may go later or elsewhere
	Ambiguous     Reason = "ambiguous"     // nobody can tell
	Content       Reason = "content"       // the carrier does not like the text
)

// Sent says whether the message may have left. The zero Sent is MaybeSent: who does not know must not
// send again.
type Sent uint8

// The two answers.
const (
	MaybeSent Sent = iota // never refunded, never sent again
	NotSent               // refunded; another gateway may be tried
)

// Error is a message that was not surely accepted. Its text holds no number, code or secret.
type Error struct {
	Reason Reason
	Sent   Sent
	// RetryAfter is the carrier's wait with Throttled; 0 if it named none.
	RetryAfter time.Duration
	// Err is the cause, for the log; may be nil.
	Err error
}

func (e *Error) Error() string {
	text := "gateway: " + string(e.Reason)
	if e.Sent == MaybeSent {
		text += ", maybe sent"
	}
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }
