package gateway

import "smsd/internal/secret"

// Dispatch is a message and how it is to go out.
type Dispatch struct {
	Message Message
	// Route names the gateways that may take it; zero: the router's own route.
	Route Route
	// Wording returns what the named gateway is to say, in place of the message's Text and Template; nil: those, whoever takes it.
	// It is asked before each try.
	Wording func(gateway string) Wording
	// Late hears of a gateway that took the message after that was given up; nil: nobody does.
	Late Late
}

// Late is who sends a message, and may have been told [Ambiguous] of it.
type Late interface {
	// TakenLate is told that a carrier has taken m after all: once at most, long after [Router.Send] has returned. It returns at once.
	TakenLate(m Message, a Accepted)
}

// Wording is how one gateway says a message: a text, or also a template that its carrier keeps. Text is never empty: where the carrier
// keeps the text, it is what its people read, as far as anybody here knows.
type Wording struct {
	Text     secret.Text
	Template Template
}

// to returns the message as the named gateway is to have it.
func (d Dispatch) to(gateway string) Message {
	m := d.Message
	if d.Wording != nil {
		w := d.Wording(gateway)
		m.Text, m.Template = w.Text, w.Template
	}
	return m
}
