package main

import (
	"fmt"
	"io"
	"strings"
	"time"

	"smsd/internal/app"
	"smsd/internal/gateway"
)

// fate is what became of a test message, as --json writes it.
type fate struct {
	Gateway string `json:"gateway"`
	Phone   string `json:"phone"` // masked
	Scene   string `json:"scene"`
	Locale  string `json:"locale"`
	// Template is the carrier's, if the policy has one for the message.
	Template string `json:"template,omitempty"`
	Outcome  string `json:"outcome"` // accepted, or the reason
	Sent     string `json:"sent"`    // yes, no or maybe
	ID       string `json:"provider_id,omitempty"`
	Cause    string `json:"cause,omitempty"`
	Wait     int    `json:"retry_after,omitempty"` // seconds
	Means    string `json:"means"`
	Do       string `json:"do"`
}

func fateOf(t *app.Trial, m app.TestMessage, id string, failure *gateway.Error) fate {
	f := fate{
		Gateway: t.Gateway, Phone: m.To.String(), Scene: m.Scene, Locale: t.Locale, Template: t.Template, Outcome: "accepted", Sent: "yes", ID: id,
		Means: "the carrier took it; whether it arrives is for the phone to tell",
		Do:    "look at the phone; if nothing comes within a minute, look for the message in the carrier's console",
	}
	switch {
	case failure == nil && t.ForTests:
		f.Means, f.Do = "the gateway is one for tests: no phone gets anything", "name a gateway whose messages reach people"
		return f
	case failure == nil:
		return f
	}
	f.Outcome, f.Sent, f.Wait = string(failure.Reason), "maybe", int(failure.RetryAfter/time.Second)
	if failure.Sent == gateway.NotSent {
		f.Sent = "no"
	}
	if failure.Err != nil {
		f.Cause = failure.Err.Error()
	}
	said := meanings[failure.Reason]
	f.Means, f.Do = said.means, said.do
	return f
}

// meanings are what each reason says to an operator.
var meanings = map[gateway.Reason]struct{ means, do string }{
	gateway.BadNumber:     {"the carrier can't reach this number; a client would get 422 undeliverable", "try the number of another phone; if that fails too, see whether the account may send to its country"},
	gateway.NoRoute:       {"this account has no way to this number; a client would get 422 undeliverable, unless another gateway of the route has one", "see at the carrier which senders the number's country and network take; docs/gateways.md has the code"},
	gateway.Throttled:     {"the carrier's own limit on this number; a client would get 429", "wait, or try another phone: test messages count for the carrier as any others"},
	gateway.Configuration: {"the account or the gateway's settings; every message would fail so", "see what smsd gateway check says, and docs/gateways.md on the code"},
	gateway.Temporary:     {"the carrier does not take messages now, or was not reached", "try again in a moment; if it stays, see what smsd gateway check says"},
	gateway.Ambiguous:     {"nobody can tell whether it was sent; a client would get 200 and delivery: unknown", "look at the phone before you send another; if nothing came, see what smsd gateway check says"},
	gateway.Content:       {"the carrier does not let this text or template through", "change the text in the policy or the template at the carrier; docs/gateways.md has the code"},
}

// print writes f for people, or as JSON.
func (f fate) print(w io.Writer, asJSON bool) error {
	if asJSON {
		return indented(w, f)
	}
	first := fmt.Sprintf("%s: %s", f.Gateway, f.Outcome)
	if f.ID != "" {
		first += ", as " + f.ID
	}
	if f.Cause != "" {
		first += ": " + f.Cause
	}
	sent := map[string]string{"yes": "sent", "no": "surely not sent", "maybe": "perhaps sent"}[f.Sent]
	what := fmt.Sprintf("%s to %s, scene %s, language %s", sent, f.Phone, f.Scene, f.Locale)
	if f.Template != "" {
		what += ", template " + f.Template
	}
	lines := []string{first, what, f.Means}
	if f.Wait > 0 {
		lines = append(lines, fmt.Sprintf("the carrier asks to wait %s", time.Duration(f.Wait)*time.Second))
	}
	_, err := fmt.Fprintf(w, "%s\nto do: %s\n", strings.Join(lines, "\n"), f.Do)
	return err
}
