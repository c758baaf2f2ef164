package gateway

import "context"

// Examiner is what a [Driver] is as well whose carrier can be asked whether messages would go.
type Examiner interface {
	// Examine asks the carrier, without sending anything, about the account and each of templates, and returns what it found, good and
	// bad. It ends with ctx. No finding holds a credential.
	//
	// templates are those of the policy for this gateway, their params without values, and the zero Template is among them if some
	// messages come without one.
	Examine(ctx context.Context, templates []Template) []Finding
}

// Finding is one thing that was looked at.
type Finding struct {
	// What was looked at, as "credentials", "signature 示例科技", "template SMS_123", "balance", "clock".
	What  string
	Grade Grade
	// Text is what was found; Advice is what to do about it, if anything.
	Text, Advice string
}

// Grade is how good a finding is.
type Grade uint8

// The grades.
const (
	Good     Grade = iota
	Doubtful       // it could not be asked, or wants attention soon
	Bad            // messages will not go
)
