package aliyun

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/requestid"
	"smsd/internal/secret"
)

var _ gateway.Examiner = (*Gateway)(nil)

// maxSkew is by how much the clock may be off (developer.aliyun.com/ask/278265, InvalidTimeStamp.Expired; November 2026).
const maxSkew = 15 * time.Minute

// examination is one look at the account.
type examination struct {
	*carrier.Examination
	g *Gateway
}

// Examine implements [gateway.Examiner]. It asks about each signature and each template, and about the balance: GetSmsSign and
// GetSmsTemplate of the same API (the vendor's SDK for Go, 22 August 2026; QuerySmsSign and QuerySmsTemplate, which came before
// them, are being taken out of service: help.aliyun.com/document_detail/121210.htm and 419289.htm, November 2026), and
// QueryAccountBalance of the API for billing.
func (g *Gateway) Examine(ctx context.Context, templates []gateway.Template) []gateway.Finding {
	e := &examination{g.client.Examine(carrier.ExaminationOptions{
		Now: g.now, MaxSkew: maxSkew, Hidden: []secret.Text{g.key.id, g.key.secret},
	}), g}
	templates = e.Kept(templates, g.template)
	e.signatures(ctx, templates)
	e.templates(ctx, templates)
	e.balance(ctx)
	return e.Findings()
}

// question is one call of an API that changes nothing.
type question struct {
	what            string // it is about
	action, version string
	values          url.Values
	to              url.URL
	permission      string // that the key needs for it
}

// ask puts q, and reads the answer into the struct that into points to. It returns the answer's code; "": there is nothing
// more to say about q.what.
func (e *examination) ask(ctx context.Context, q question, into coded) string {
	query := canonical(q.values)
	q.to.RawQuery = query
	header := e.g.key.header(call{q.to.Host, q.action, q.version, query, nonce(requestid.New()), e.g.now()})
	a, ok := e.Ask(ctx, q.what, carrier.Request{URL: q.to.String(), Header: header})
	if !ok {
		return ""
	}
	if err := a.JSON(into); err != nil || into.code() == "" {
		e.Unreadable(q.what, a)
		return ""
	}
	if e.told(q, into.code()) {
		return ""
	}
	e.Taken()
	return into.code()
}

// coded is an answer with a code in it.
type coded interface{ code() string }

// head is what every answer has. Its Message may hold what was sent, so it is not read.
type head struct{ Code string }

func (h *head) code() string { return h.Code }

// told keeps a finding for a code that is not about what was asked, but about who asks. It says whether it was one.
func (e *examination) told(q question, code string) bool {
	if advice, known := refusals[code]; known {
		e.Refused("the carrier says "+carrier.Word(code), advice)
		return true
	}
	switch class, _, _ := strings.Cut(code, "."); {
	case class == "InvalidTimeStamp":
		e.Untimely(code)
	case class == "Throttling":
		e.NotNow(q.what, code)
	case class == "Forbidden", slices.Contains(denials, code):
		e.Taken() // who is forbidden something is known
		e.Denied(q.what, code, "allow the RAM user "+q.permission)
	default:
		return false
	}
	return true
}

// denials are the codes of a key that is known and may not ask, beside those that begin with Forbidden.
var denials = []string{"isp.RAM_PERMISSION_DENY", "RAM_PERMISSION_DENY", "NoPermission", "NotAuthorized", "FORBIDDEN_ACTION"}

const (
	wrongKey     = "see that access_key_id and access_key_secret are those of one AccessKey, and that it is enabled"
	wrongAddress = "let the AccessKey be used from this machine's address (the RAM console, network access control)"
	wrongUser    = "look at the account in the carrier's console: whether short messages are activated, the bills paid, and the person behind it verified"
)

// refusals are the codes by which the vendor lets nobody in, with what to do; for where they come from see codes.
var refusals = map[string]string{
	"SignatureDoesNotMatch":        wrongKey,
	"IncompleteSignature":          wrongKey,
	"InvalidAccessKeyId":           wrongKey,
	"InvalidAccessKeyId.NotFound":  wrongKey,
	"InvalidAccessKeyId.Inactive":  wrongKey,
	"MissingAccessKeyId":           wrongKey,
	"InvalidSecurityToken.Expired": wrongKey,
	"isv.DENY_IP_RANGE":            wrongAddress,
	"isv.OUT_OF_SERVICE":           wrongUser,
	"isv.PRODUCT_UN_SUBSCRIPT":     wrongUser,
	"isv.PRODUCT_UNSUBSCRIBE":      wrongUser,
	"isv.ACCOUNT_NOT_EXISTS":       wrongUser,
	"isv.ACCOUNT_ABNORMAL":         wrongUser,
	"isv.SECURITY_FROZEN_ACCOUNT":  wrongUser,
	"OUT_OF_SERVICE":               wrongUser,
	"PRODUCT_NOT_SUBSCRIBED":       wrongUser,
	"ACCOUNT_NOT_EXISTS":           wrongUser,
	"ACCOUNT_ILLEGAL":              wrongUser,
	"Forbidden.UserVerification":   wrongUser,
	"Forbidden.RiskControl":        wrongUser,
}
