package tencent

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

var _ gateway.Examiner = (*Gateway)(nil)

// maxSkew is by how much the clock may be off (AuthFailure.SignatureExpire, cloud.tencent.com/document/api/382/52075, November 2026).
const maxSkew = 5 * time.Minute

// examination is one look at the account.
type examination struct {
	*carrier.Examination
	g *Gateway
}

// Examine implements [gateway.Examiner]. It asks about the templates, and about the packages of messages that are paid for. Signatures
// the vendor tells by a number alone that it gave them (cloud.tencent.com/document/product/382/6040, November 2026), which is
// not what messages name.
func (g *Gateway) Examine(ctx context.Context, templates []gateway.Template) []gateway.Finding {
	e := &examination{g.client.Examine(carrier.ExaminationOptions{
		Now: g.config.Now, MaxSkew: maxSkew, Hidden: []secret.Text{g.config.SecretID, g.config.SecretKey},
	}), g}
	templates = e.Kept(templates, g.config.Template)
	e.templates(ctx, templates)
	e.signatures(templates)
	e.packages(ctx)
	return e.Findings()
}

// signatures says what can't be asked.
func (e *examination) signatures(templates []gateway.Template) {
	var names []string
	for _, t := range templates {
		if t.Sign == "" {
			t.Sign = e.g.config.Sign
		}
		if !slices.Contains(names, t.Sign) {
			names = append(names, t.Sign)
		}
	}
	for _, name := range names {
		switch {
		case e.Over():
		case name == "":
			e.Doubtful("signature", "there is none for templates that name none; messages to the mainland need one", "set sign of the gateway, or of each template, unless no message goes there")
		default:
			e.Doubtful("signature "+name, "it can't be asked: this carrier tells signatures by a number alone", "see in the carrier's console that it is approved")
		}
	}
}

// question is one call that changes nothing.
type question struct {
	what, action string
	body         any
}

// ask puts q, and reads the answer's Response into the struct that into points to. It returns the code of a refusal that is about
// what was asked; false: there is nothing more to say about it.
func (e *examination) ask(ctx context.Context, q question, into any) (code string, ok bool) {
	body, _ := json.Marshal(q.body) // strings and numbers always can be
	a, ok := e.Ask(ctx, q.what, carrier.Request{URL: e.g.endpoint.String(), Header: e.g.header(q.action, body), Body: body})
	if !ok {
		return "", false
	}
	var whole struct{ Response json.RawMessage }
	var head struct {
		Error     *struct{ Code string }
		RequestID string
	}
	if a.JSON(&whole) != nil || json.Unmarshal(whole.Response, &head) != nil || head.RequestID == "" {
		e.Unreadable(q.what, a)
		return "", false
	}
	switch {
	case head.Error == nil && json.Unmarshal(whole.Response, into) != nil:
		e.Unreadable(q.what, a)
		return "", false
	case head.Error == nil:
		e.Taken()
		return "", true
	case e.told(q, head.Error.Code):
		return "", false
	}
	e.Taken()
	return head.Error.Code, true
}

// told keeps a finding for a code that is not about what was asked, but about who asks. It says whether it was one.
func (e *examination) told(q question, code string) bool {
	class, _, _ := strings.Cut(code, ".")
	advice, refused := refusals[code]
	switch {
	case refused:
		e.Refused("the carrier says "+carrier.Word(code), advice)
	case code == "AuthFailure.SignatureExpire":
		e.Untimely(code)
	case slices.Contains(denials, code):
		e.Taken() // who is forbidden something is known
		e.Denied(q.what, code, "allow the CAM user sms:"+q.action)
	case class == "AuthFailure":
		e.Refused("the carrier says "+carrier.Word(code), "see that secret_id and secret_key are those of one key, and that it is enabled")
	case class == "RequestLimitExceeded" || class == "InternalError":
		e.NotNow(q.what, code)
	default:
		return false
	}
	return true
}

// denials are the codes of a key that is known and may not ask; an account of a person is not told by this API.
var denials = []string{
	"AuthFailure.UnauthorizedOperation", "UnauthorizedOperation", "UnauthorizedOperation.RequestPermissionDeny",
	"FailedOperation.NotEnterpriseCertification",
}

const (
	wrongAddress = "let the application be used from this machine's address (the carrier's console, application, basic configuration)"
	unpaid       = "pay the account's debts in the carrier's console"
)

// refusals are the codes by which the vendor lets nobody in, with what to do; for where they come from see codes.
var refusals = map[string]string{
	"IpInBlacklist":    wrongAddress,
	"IpNotInWhitelist": wrongAddress,
	"UnauthorizedOperation.RequestIpNotInWhitelist":    wrongAddress,
	"UnauthorizedOperation.ServiceSuspendDueToArrears": unpaid,
}
