package aws

import (
	"context"
	"errors"
	"time"

	sms "github.com/aws/aws-sdk-go-v2/service/pinpointsmsvoicev2"
	"github.com/aws/smithy-go"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

var _ gateway.Examiner = (*Gateway)(nil)

// maxSkew is by how much the clock may be off (RequestExpired in CommonErrors.html of the vendor's API references, November 2026).
const maxSkew = 15 * time.Minute

// examination is one look at the account.
type examination struct {
	*carrier.Examination
	g *Gateway
}

// Examine implements [gateway.Examiner]. It asks for the account's tier and its spend limit, and for what the settings name. The
// vendor keeps no templates of ours. What has been spent this month it does not tell here.
func (g *Gateway) Examine(ctx context.Context, _ []gateway.Template) []gateway.Finding {
	c := g.config
	e := &examination{g.client.Examine(carrier.ExaminationOptions{
		Now: time.Now, MaxSkew: maxSkew, Hidden: []secret.Text{c.AccessKeyID, c.AccessKeySecret, c.SessionToken},
	}), g}
	for _, look := range []func(context.Context){e.tier, e.spendLimit, e.sender, e.configurationSet} {
		if !e.Over() {
			look(ctx)
		}
	}
	return e.Findings()
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
	switch {
	case !w.used:
		e.Refused(carrier.Cause(notCalled(err)), "see that the machine's role, or access_key_id and access_key_secret, are there")
		return false
	case !e.Heard(q.what, w.url, w.answer, w.err):
		return false
	case err != nil:
		return e.refused(q, failure(w.answer, err), err)
	}
	e.Taken()
	return true
}

// refused keeps a finding for an answer that is no success. It returns true if the answer is that there is no such thing, which is
// for who asked.
func (e *examination) refused(q question, told *gateway.Error, err error) bool {
	exception, named := errors.AsType[smithy.APIError](err)
	if !named || told.Reason != gateway.Configuration {
		e.Doubtful(q.what, told.Err.Error(), "check again in a moment; if it stays, look at the carrier's console")
		return false
	}
	switch reason, _ := reasonOf(exception); {
	case exception.ErrorCode() == "ResourceNotFoundException":
		e.Taken()
		return true
	case reason != "":
		e.Bad("account", told.Err.Error(), "look at the carrier's console")
		e.End()
	case exception.ErrorCode() == "AccessDeniedException":
		e.Taken() // who is denied something is known
		e.Denied(q.what, exception.ErrorCode(), "allow it sms-voice:"+q.operation)
	default:
		e.Refused(told.Err.Error(), "see that the keys are those of one user or role, that they have not expired, and that region is theirs")
	}
	return false
}
