package carrier

import (
	"context"
	"errors"
	"net/http"
	"strconv"
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
	switch {
	case err != nil && !e.reached:
		e.over = true
		e.Bad("connection", cause(err), "see that this machine resolves the carrier's name and gets through to it: name server, firewall, HTTPS_PROXY, and endpoint of the gateway")
		return Answer{}, false
	case err != nil:
		e.Doubtful(what, "it could not be asked: "+cause(err), "check again")
		return Answer{}, false
	case !e.reached:
		e.reached = true
		e.Good("connection", "the carrier answers"+over(r.URL))
		e.clock(a.Header)
	}
	return a, true
}

func over(url string) string {
	if strings.HasPrefix(url, "https:") {
		return ", over TLS"
	}
	return ", on this machine, without TLS"
}

// cause is err without what it means for a message: none was sent.
func cause(err error) string {
	failure, ok := errors.AsType[*gateway.Error](err)
	if !ok || failure.Err == nil {
		return "failed"
	}
	return failure.Err.Error()
}

// Taken says that the carrier took the credentials. It is told once.
func (e *Examination) Taken() {
	if !e.taken {
		e.taken = true
		e.Good("credentials", "they are taken")
	}
}

// HasTaken reports whether the carrier took the credentials.
func (e *Examination) HasTaken() bool { return e.taken }

// Refused ends the examination: the carrier does not let these credentials in.
func (e *Examination) Refused(text, advice string) {
	e.over = true
	e.Bad("credentials", text, advice)
}

// Unreadable is an answer that is not what the carrier gives. Before the credentials were taken there is no reason to believe
// that it is the carrier's, and that is the end.
func (e *Examination) Unreadable(what string, a Answer) {
	text := "the answer is not one of the carrier's, status " + status(a.Status)
	switch {
	case a.Status >= http.StatusInternalServerError || a.Status == http.StatusTooManyRequests:
		e.Doubtful(what, "the carrier does not say now, status "+status(a.Status), "check again in a moment")
	case e.taken:
		e.Doubtful(what, text, "check again; if it stays, look at the carrier's console")
	default:
		e.over = true
		e.Bad("answer", text, "see that endpoint of the gateway is the carrier's API, and that nothing on the way (a proxy, a portal) answers in its place")
	}
}

// Good, Doubtful and Bad keep a finding.
func (e *Examination) Good(what, text string) { e.add(what, gateway.Good, text, "") }
func (e *Examination) Doubtful(what, text, advice string) {
	e.add(what, gateway.Doubtful, text, advice)
}
func (e *Examination) Bad(what, text, advice string) { e.add(what, gateway.Bad, text, advice) }

func (e *Examination) add(what string, grade gateway.Grade, text, advice string) {
	for _, s := range e.o.Hidden {
		if !s.IsZero() && strings.Contains(what+"\n"+text, s.Reveal()) {
			what, text = "carrier", "what the carrier says is withheld, since it holds a credential"
		}
	}
	e.findings = append(e.findings, gateway.Finding{What: what, Grade: grade, Text: text, Advice: advice})
}

// maxDrift is what a clock that is kept right is off by, at the most, with the time that the answer took and the fraction of
// a second that a Date lacks.
const maxDrift = 30 * time.Second

// clock compares the clock with the carrier's (RFC 9110, section 6.6.1).
func (e *Examination) clock(h http.Header) {
	at, err := http.ParseTime(h.Get("Date"))
	if err != nil {
		e.Doubtful("clock", "the carrier does not say what time it is", "see that this machine's clock is kept right, as by NTP")
		return
	}
	skew := e.o.Now().Sub(at)
	text := "it is " + strconv.Itoa(int(skew.Abs()/time.Second)) + " s " + side(skew) + " the carrier's"
	advice := "set this machine's clock, and keep it right, as by NTP"
	switch {
	case e.o.MaxSkew > 0 && skew.Abs() > e.o.MaxSkew:
		e.Bad("clock", text+"; more than "+strconv.Itoa(int(e.o.MaxSkew/time.Minute))+" minutes it refuses", advice)
	case skew.Abs() > maxDrift:
		e.Doubtful("clock", text, advice)
	default:
		e.Good("clock", "it is right to "+strconv.Itoa(int(maxDrift/time.Second))+" s")
	}
}

func side(skew time.Duration) string {
	if skew < 0 {
		return "behind"
	}
	return "ahead of"
}
