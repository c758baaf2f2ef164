package carrier

import (
	"context"
	"errors"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// Examination is one look at an account, for a driver that is a [gateway.Examiner]: it asks the carrier, sees by the first
// answer that the carrier is there and what its clock says, and keeps what was found. What can't be told without something
// that is at fault is left out: it ends with that. Not for concurrent use.
type Examination struct {
	o        ExaminationOptions
	reached  bool
	taken    bool
	over     bool
	findings []gateway.Finding
}

// ExaminationOptions are what [Client.Examine] needs.
type ExaminationOptions struct {
	// Now is the clock that the driver signs with. Required.
	Now func() time.Time
	// MaxSkew is by how much the carrier lets that clock be off; 0: it does not look at it, so that nothing is bad.
	MaxSkew time.Duration
	// Hidden are the credentials. A finding that holds one is told without its words.
	Hidden []secret.Text

	client *Client
}

// Examine begins an Examination.
func (c *Client) Examine(o ExaminationOptions) *Examination {
	o.client = c
	return &Examination{o: o}
}

// Findings returns what was found, in the order in which it was.
func (e *Examination) Findings() []gateway.Finding { return e.findings }

// Over reports whether nothing more can be asked.
func (e *Examination) Over() bool { return e.over }

// End ends the examination, after a finding that says why.
func (e *Examination) End() { e.over = true }

// Ask asks the carrier about what. It returns false if there is no answer, or nothing is asked any more: then there is
// nothing for the driver to say about it.
func (e *Examination) Ask(ctx context.Context, what string, r Request) (Answer, bool) {
	if e.over {
		return Answer{}, false
	}
	a, err := e.o.client.Do(ctx, r)
	return a, e.Heard(what, r.URL, a, err)
}

// Heard is for a driver whose call another library makes, through the same [Client]: a and err are what Do returned for url. It
// returns false as [Examination.Ask] does.
func (e *Examination) Heard(what, url string, a Answer, err error) bool {
	switch {
	case err != nil && !e.reached:
		e.over = true
		e.Bad("connection", Cause(err), "see that this machine resolves the carrier's name and gets through to it (name server, firewall, HTTPS_PROXY), and that endpoint and region of the gateway are right")
	case err != nil:
		e.Doubtful(what, "it could not be asked: "+Cause(err), "check again")
	case !e.reached:
		e.reached = true
		e.Good("connection", "the carrier answers"+secured(url))
		e.clock(a.Header)
	}
	return err == nil
}

func secured(url string) string {
	if strings.HasPrefix(url, "https:") {
		return ", over TLS"
	}
	return ", on this machine, without TLS"
}

// Cause returns what an error of [Client.Do] or [Client.Reach] is about, without what it means for a message: for calls that send none.
func Cause(err error) string {
	failure, ok := errors.AsType[*gateway.Error](err)
	if !ok || failure.Err == nil {
		return "failed"
	}
	return failure.Err.Error()
}

// Good keeps a finding of what is well.
func (e *Examination) Good(what, text string) { e.add(what, gateway.Good, text, "") }

// Doubtful keeps a finding of what could not be asked, or wants attention soon.
func (e *Examination) Doubtful(what, text, advice string) {
	e.add(what, gateway.Doubtful, text, advice)
}

// Bad keeps a finding of what messages will not go for.
func (e *Examination) Bad(what, text, advice string) { e.add(what, gateway.Bad, text, advice) }

func (e *Examination) add(what string, grade gateway.Grade, text, advice string) {
	for _, s := range e.o.Hidden {
		if !s.IsZero() && strings.Contains(what+"\n"+text, s.Reveal()) {
			what, text = "carrier", "what the carrier says is withheld, since it holds a credential"
		}
	}
	e.findings = append(e.findings, gateway.Finding{What: what, Grade: grade, Text: text, Advice: advice})
}
