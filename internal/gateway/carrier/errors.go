package carrier

import (
	"errors"

	"smsd/internal/gateway"
)

// Refused is a carrier's word, by its own code, that it did not take the message for that reason.
func Refused(reason gateway.Reason, code string) *gateway.Error {
	return &gateway.Error{Reason: reason, Sent: gateway.NotSent, Code: Told(code), Err: errors.New("the carrier says " + Word(code))}
}

// Untold is a carrier's code of which nobody can tell whether the message was taken.
func Untold(code string) *gateway.Error {
	return Unclear("nobody can tell what became of it: the carrier says", code)
}

// Unclear is an answer of which nobody can tell whether the message was taken. what is the driver's own words; code
// is the carrier's code, or what else stands for the answer. See [Answer.Unclear] for one that has only its status.
func Unclear(what, code string) *gateway.Error {
	return &gateway.Error{Reason: gateway.Ambiguous, Sent: gateway.MaybeSent, Err: errors.New(what + " " + Word(code))}
}

// withheld stands for a code that may be anything.
const withheld = "(a code that is withheld)"

// Word returns a carrier's code as it may be told: itself if it is one (see [gateway.IsCode]), or that it is withheld. (What is a
// verification's code is for the router.)
func Word(code string) string {
	if told := Told(code); told != "" {
		return told
	}
	return withheld
}

// Told is [Word] where what is withheld is left out.
func Told(code string) string {
	if gateway.IsCode(code) {
		return code
	}
	return ""
}
