package aws

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	sms "github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"
	"github.com/aws/smithy-go"

	"smsd/internal/gateway"
)

var _ gateway.Examiner = (*Gateway)(nil)

// Examine implements [gateway.Examiner]. It asks for the account's tier and its spend limit, and for what the settings name. The
// vendor keeps no templates of ours. What has been spent this month it does not tell here.
func (g *Gateway) Examine(ctx context.Context, _ []gateway.Template) []gateway.Finding {
	e := &examination{g: g}
	for _, look := range []func(context.Context){e.tier, e.spendLimit, e.sender, e.configurationSet} {
		if !e.over {
			look(ctx)
		}
	}
	return e.findings
}

// examination is one look at the account. It is over when there is no use in asking more.
type examination struct {
	g        *Gateway
	findings []gateway.Finding
	reached  bool
	taken    bool
	over     bool
}

func (e *examination) add(what string, grade gateway.Grade, text, advice string) {
	e.findings = append(e.findings, gateway.Finding{What: what, Grade: grade, Text: text, Advice: advice})
}

// question is one call that changes nothing; operation is its name, and the permission that it needs.
type question struct {
	what, operation string
	call            func(over func(*sms.Options)) error
}

// ask puts q. It returns false where there is no answer, and nothing more to say about q.what.
func (e *examination) ask(q question) bool {
	w := &wire{client: e.g.client}
	err := q.call(w.carry)
	var cause error = w.err
	if !w.used {
		cause = notCalled(err)
	}
	if cause != nil {
		e.unheard(q, w.used, cause)
		return false
	}
	if !e.reached {
		e.reached = true
		e.add("connection", gateway.Good, "the carrier answers", "")
		e.clock(w.status.Header, time.Now())
	}
	if err != nil {
		return e.refused(q, failure(w.status, err), err)
	}
	e.takes()
	return true
}

// takes says once that the carrier takes the credentials.
func (e *examination) takes() {
	if !e.taken {
		e.taken = true
		e.add("credentials", gateway.Good, "they are taken", "")
	}
}

// unheard is a question without an answer.
func (e *examination) unheard(q question, called bool, cause error) {
	text := "failed"
	if failed, ok := errors.AsType[*gateway.Error](cause); ok && failed.Err != nil {
		text = failed.Err.Error()
	}
	switch {
	case !called:
		e.over = true
		e.add("credentials", gateway.Bad, text, "see that the machine's role, or access_key_id and access_key_secret, are there")
	case !e.reached:
		e.over = true
		e.add("connection", gateway.Bad, text, "see that region and endpoint of the gateway are right, and that this machine gets there: name server, firewall, HTTPS_PROXY")
	default:
		e.add(q.what, gateway.Doubtful, "it could not be asked: "+text, "check again")
	}
}

// refused keeps a finding for an answer that is no success. It returns true if the answer is that there is no such thing, which is
// for who asked.
func (e *examination) refused(q question, told *gateway.Error, err error) bool {
	exception, named := errors.AsType[smithy.APIError](err)
	if !named || told.Reason != gateway.Configuration {
		e.add(q.what, gateway.Doubtful, told.Err.Error(), "check again in a moment; if it stays, look at the carrier's console")
		return false
	}
	switch reason, _ := reasonOf(exception); {
	case exception.ErrorCode() == "ResourceNotFoundException":
		e.takes()
		return true
	case reason != "":
		e.over = true
		e.add("account", gateway.Bad, told.Err.Error(), "look at the carrier's console")
	case exception.ErrorCode() == "AccessDeniedException":
		e.takes() // who is denied something is known
		e.add(q.what, gateway.Doubtful, "the key may not ask: "+told.Err.Error(), "allow it sms-voice:"+q.operation+", or look at the carrier's console")
	default:
		e.over = true
		e.add("credentials", gateway.Bad, told.Err.Error(), "see that the keys are those of one user or role, that they have not expired, and that region is theirs")
	}
	return false
}

// maxDrift is what a clock that is kept right is off by, at the most, with the time that the answer took; maxSkew is what the vendor takes
// (RequestExpired in CommonErrors.html, November 2026).
const maxDrift, maxSkew = 30 * time.Second, 15 * time.Minute

// clock compares now with the carrier's time (RFC 9110, section 6.6.1).
func (e *examination) clock(h http.Header, now time.Time) {
	at, err := http.ParseTime(h.Get("Date"))
	skew := now.Sub(at).Abs()
	text := "it is off by " + strconv.Itoa(int(skew/time.Second)) + " s"
	const advice = "set this machine's clock, and keep it right, as by NTP"
	switch {
	case err != nil:
		e.add("clock", gateway.Doubtful, "the carrier does not say what time it is", "see that this machine's clock is kept right, as by NTP")
	case skew > maxSkew:
		e.add("clock", gateway.Bad, text+"; with more than 15 minutes the first message fails", advice)
	case skew > maxDrift:
		e.add("clock", gateway.Doubtful, text, advice)
	default:
		e.add("clock", gateway.Good, "it is right to 30 s", "")
	}
}
