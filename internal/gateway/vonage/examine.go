package vonage

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/requestid"
	"smsd/internal/secret"
)

var _ gateway.Examiner = (*Gateway)(nil)

// examination is one look at the account.
type examination struct {
	*carrier.Examination
	g *Gateway
}

// Examine implements [gateway.Examiner]. It asks whether the credentials are taken and, with the account's key and secret, for the
// balance: an application's JWT is good for messages alone (developer.vonage.com/concepts/guides/authentication, November
// 2026). Templates this carrier does not keep.
func (g *Gateway) Examine(ctx context.Context, _ []gateway.Template) []gateway.Finding {
	c := g.config
	e := &examination{g.client.Examine(carrier.ExaminationOptions{
		Now: c.Now, Hidden: []secret.Text{c.ApplicationID, c.PrivateKey, c.APIKey, c.APISecret},
	}), g}
	e.credentials(ctx)
	e.balance(ctx)
	return e.Findings()
}

// ask makes a call with the credentials.
func (e *examination) ask(ctx context.Context, what string, r carrier.Request) (carrier.Answer, bool) {
	authorization, err := e.g.auth(requestid.New(), e.g.config.Now())
	if err != nil {
		e.Refused("the private key can't sign", "give the application's private key as the vendor made it")
		return carrier.Answer{}, false
	}
	r.Header = http.Header{"Accept": {"application/json"}, "Authorization": {authorization}, "Content-Type": {"application/json"}}
	return e.Ask(ctx, what, r)
}

// credentials posts an object without anything in it to where messages are posted to. That is no message, since it has neither a
// text nor a recipient, and the vendor says so only to whom it knows: there is no other question that an application may ask.
func (e *examination) credentials(ctx context.Context) {
	const what = "credentials"
	a, ok := e.ask(ctx, what, carrier.Request{URL: e.g.url, Body: []byte("{}")})
	if !ok {
		return
	}
	var p problem
	known := a.Refuses() && a.JSON(&p) == nil
	switch code, own := p.code(a.Status); {
	case known && a.Status == http.StatusUnauthorized:
		e.Refused("the carrier says "+carrier.Word(code), "see that the application's id and key belong together and that it has the capability Messages, or that key and secret "+
			"are those of one account; and that the clock is right")
	case known && own && (a.Status == http.StatusPaymentRequired || a.Status == http.StatusForbidden):
		e.Refused("the carrier says "+carrier.Word(code), "look at the account in the vendor's dashboard")
	case known && own && (a.Status == http.StatusUnprocessableEntity || a.Status == http.StatusBadRequest):
		e.Taken()
	default:
		e.Unreadable(what, a)
	}
}

// balance asks for the account's euros (developer.vonage.com/account/code-snippets/account-balance, November 2026).
func (e *examination) balance(ctx context.Context) {
	const what = "balance"
	switch {
	case e.Over():
		return
	case e.g.config.APIKey.IsZero():
		e.Doubtful(what, "it can't be asked with an application's key", "look at the vendor's dashboard, and let it warn you or fill up by itself")
		return
	}
	a, ok := e.ask(ctx, what, carrier.Request{Method: http.MethodGet, URL: e.g.billing()})
	var r struct {
		Value      json.Number
		AutoReload bool
	}
	switch {
	case !ok:
	case a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden:
		e.Doubtful(what, "the key may not ask", "look at the vendor's dashboard")
	case !a.OK() || a.JSON(&r) != nil || r.Value == "":
		e.Unreadable(what, a)
	default:
		e.Taken()
		e.Balance(r.Value.String(), "EUR", "", r.AutoReload)
	}
}

// billing is where the balance is asked: a host of its own, but for a fake of the vendor.
func (g *Gateway) billing() string {
	to := *g.endpoint
	if strings.HasSuffix(to.Host, ".nexmo.com") {
		to.Host = "rest.nexmo.com"
	}
	to.Path = "/account/get-balance"
	return to.String()
}
