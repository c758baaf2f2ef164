package aliyun

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// reviews are the vendor's SignStatus and TemplateStatus: it describes the one as a number and the other as one in quotes.
var reviews = map[carrier.Scalar]carrier.Review{"0": carrier.Pending, "1": carrier.Approved, "2": carrier.Rejected, "10": carrier.Withdrawn}

// signatures looks at the signature of each template, or at the gateway's for those that name none.
func (e *examination) signatures(ctx context.Context, templates []gateway.Template) {
	names, own := []string{}, len(templates) == 0
	for _, t := range templates {
		own = own || t.Sign == ""
		if t.Sign != "" && !slices.Contains(names, t.Sign) {
			names = append(names, t.Sign)
		}
	}
	switch {
	case own && e.g.sign == "" && len(templates) > 0:
		e.Bad("signature", "there is none for templates that name none", "set sign of the gateway, or of each template")
	case own && e.g.sign != "" && !slices.Contains(names, e.g.sign):
		names = append([]string{e.g.sign}, names...)
	}
	for _, name := range names {
		e.signature(ctx, name)
	}
}

// signature asks about one.
func (e *examination) signature(ctx context.Context, name string) {
	what := "signature " + name
	var r struct {
		head
		SignStatus                carrier.Scalar
		AuditInfo                 struct{ RejectInfo string }
		SignIspRegisterDetailList []registration
	}
	code := e.ask(ctx, question{what, "GetSmsSign", version, url.Values{"SignName": {name}}, *e.g.endpoint, "dysms:GetSmsSign"}, &r)
	review := reviews[r.SignStatus]
	switch {
	case code == "":
	case code != "OK":
		e.unknown(what, code, "SIGN")
	case review == carrier.Approved && unregistered(r.SignIspRegisterDetailList):
		e.Doubtful(what, "approved, but not registered with every network: messages to some phones may be lost",
			"look at its registration in the carrier's console, and submit what is missing")
	default:
		e.Reviewed(what, review, r.AuditInfo.RejectInfo)
	}
}

// registration is how far a network of the mainland is with a signature: 1 and 3 are done (the vendor's SDK for Go, 22
// August 2026).
type registration struct{ RegisterStatus int }

func unregistered(all []registration) bool {
	return slices.ContainsFunc(all, func(r registration) bool { return r.RegisterStatus != 1 && r.RegisterStatus != 3 })
}

// unknown keeps a finding for a code that is not about who asks. The vendor's codes name what they are about, as
// isv.SMS_SIGNATURE_ILLEGAL and isv.SMS_TEMPLATE_ILLEGAL do.
func (e *examination) unknown(what, code, about string) {
	if strings.Contains(strings.ToUpper(code), about) {
		e.Bad(what, "the account has none of that name: "+carrier.Word(code), "see that it is spelt as in the carrier's console, and that the key is that account's")
		return
	}
	e.Unsaid(what, code)
}

// templates looks at each template.
func (e *examination) templates(ctx context.Context, templates []gateway.Template) {
	for _, t := range templates {
		e.template(ctx, t)
	}
}

// variable is a place in a template's text, as ${code}.
var variable = regexp.MustCompile(`\$\{([^{}]*)\}`)

func (e *examination) template(ctx context.Context, t gateway.Template) {
	what := "template " + t.Code
	var r struct {
		head
		TemplateStatus  carrier.Scalar
		TemplateContent string
		AuditInfo       struct{ RejectInfo string }
	}
	code := e.ask(ctx, question{what, "GetSmsTemplate", version, url.Values{"TemplateCode": {t.Code}}, *e.g.endpoint, "dysms:GetSmsTemplate"}, &r)
	review := reviews[r.TemplateStatus]
	switch {
	case code == "":
	case code != "OK":
		e.unknown(what, code, "TEMPLATE")
	case review != carrier.Approved || e.Variables(what, places(r.TemplateContent), t.Params):
		e.Reviewed(what, review, r.AuditInfo.RejectInfo)
	}
}

func places(text string) []string {
	var names []string
	for _, found := range variable.FindAllStringSubmatch(text, -1) {
		names = append(names, found[1])
	}
	return names
}
