package twilio

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

var _ gateway.Examiner = (*Gateway)(nil)

// examination is one look at the account.
type examination struct {
	*carrier.Examination
	g *Gateway
}

// Examine implements [gateway.Examiner]. It asks about the sender, the account and its balance. The sender goes first: its
// resource is one that every key but a Restricted one may read, so that a refusal there is about the credentials.
// (twilio.com/docs/usage/api/keys, November 2026: a Standard key may not read /Accounts.) Templates this carrier does not keep.
func (g *Gateway) Examine(ctx context.Context, _ []gateway.Template) []gateway.Finding {
	c := g.config
	e := &examination{g.client.Examine(carrier.ExaminationOptions{
		Now: c.Now, Hidden: []secret.Text{c.AccountSID, c.APIKeySID, c.APIKeySecret, c.AuthToken},
	}), g}
	e.sender(ctx)
	e.service(ctx)
	e.account(ctx)
	e.balance(ctx)
	return e.Findings()
}

// ask asks for a resource, and reads it into the struct that into points to. It returns false if there is nothing more to say.
func (e *examination) ask(ctx context.Context, what, to string, into any) bool {
	header := http.Header{"Accept": {"application/json"}, "Authorization": {e.g.authorization()}}
	a, ok := e.Ask(ctx, what, carrier.Request{Method: http.MethodGet, URL: to, Header: header})
	switch {
	case !ok:
		return false
	case a.OK() && a.JSON(into) == nil:
		return true
	}
	var p problem
	if !a.Refuses() || a.JSON(&p) != nil || p.Status != a.Status {
		e.Unreadable(what, a)
		return false
	}
	e.refused(what, a.Status, p.Code)
	return false
}

// refused reads the vendor's refusal, by its pages twilio.com/docs/api/errors/CODE as they were in November 2026: 20003 are wrong
// credentials or, once they were taken elsewhere, a resource that the key may not read; 20403 is an account that was closed; 70051
// is a Restricted key without the permission.
func (e *examination) refused(what string, status, code int) {
	says := "the carrier says " + name(code, status)
	denied := status == http.StatusUnauthorized || status == http.StatusForbidden
	switch {
	case status == http.StatusTooManyRequests:
		e.NotNow(what, name(code, status))
	case code == 20403:
		e.Refused(says+": the account is suspended or closed", "ask the carrier's support")
	case status == http.StatusNotFound:
		e.Bad(what, "the account has none of that name: "+name(code, status), "see that the ids are those in the carrier's console, and of one account and region")
	case code == 70051, denied && e.HasTaken():
		e.Denied(what, name(code, status), "let the Restricted key read it (a Main key for the account)")
	case denied:
		e.Refused(says, "see that account_sid and the key or the token are of one account and region, and not deleted")
	default:
		e.Unsaid(what, name(code, status))
	}
}

// resource is the address of one of the account's.
func (e *examination) resource(path string, query url.Values) string {
	to := *e.g.endpoint
	to.Path, to.RawQuery = "/2010-04-01/Accounts/"+e.g.config.AccountSID.Reveal()+path, query.Encode()
	return to.String()
}

// sender asks for the number that messages come from, or, where they come from anything else, for any number.
func (e *examination) sender(ctx context.Context) {
	const what = "sender"
	from, query := e.g.config.From, url.Values{"PageSize": {"1"}}
	isNumber := strings.HasPrefix(from, "+")
	if isNumber {
		query.Set("PhoneNumber", from)
	}
	var r struct {
		Numbers *[]struct{ Capabilities struct{ SMS bool } } `json:"incoming_phone_numbers"`
	}
	if !e.ask(ctx, what, e.resource("/IncomingPhoneNumbers.json", query), &r) {
		return
	}
	if r.Numbers == nil {
		e.Bad("answer", "the answer is not one of the carrier's", "see that endpoint of the gateway is the carrier's API")
		e.End()
		return
	}
	e.Taken()
	numbers := *r.Numbers
	switch {
	case from != "" && !isNumber:
		e.Doubtful(what, "a short code or a sender id, which can't be asked about here", "see in the carrier's console that the countries you serve take it")
	case from == "":
	case len(numbers) == 0:
		e.Bad(what, "the account has no such number", "see that from is a number of this account")
	case !numbers[0].Capabilities.SMS:
		e.Bad(what, "the number can't send SMS", "use a number that can")
	default:
		e.Good(what, "a number of the account that can send SMS")
	}
}

// service asks for the Messaging Service (twilio.com/docs/messaging/api/service-resource, November 2026).
func (e *examination) service(ctx context.Context) {
	if e.g.config.MessagingServiceSID == "" {
		return
	}
	const what = "messaging service"
	to := *e.g.endpoint
	if rest, found := strings.CutPrefix(to.Host, "api."); found && strings.HasSuffix(to.Host, ".twilio.com") {
		to.Host = "messaging." + rest
	}
	to.Path = "/v1/Services/" + e.g.config.MessagingServiceSID
	var r struct{ SID string }
	if e.ask(ctx, what, to.String(), &r) {
		e.Good(what, "the account has it")
	}
}

// account asks for its state (twilio.com/docs/usage/api/accounts, November 2026).
func (e *examination) account(ctx context.Context) {
	const what = "account"
	var r struct{ Status, Type string }
	if !e.ask(ctx, what, e.resource(".json", nil), &r) {
		return
	}
	switch {
	case r.Status != "active":
		e.Bad(what, "it is "+carrier.Word(r.Status), "ask the carrier's support")
	case r.Type == "Trial":
		e.Bad(what, "a trial: messages go to numbers alone that were verified in the console", "upgrade the account")
	default:
		e.Good(what, "active")
	}
}

// balance asks for the money. Subaccounts have none of their own (the vendor's description of the API, twilio-oai, 14 April 2026).
func (e *examination) balance(ctx context.Context) {
	const what = "balance"
	var r struct {
		Balance  carrier.Scalar // null of a subaccount
		Currency string
	}
	if !e.ask(ctx, what, e.resource("/Balance.json", nil), &r) {
		return
	}
	if r.Balance == "" {
		e.Good(what, "a subaccount's, which is that of the account above it")
		return
	}
	e.Balance(string(r.Balance), r.Currency, "", false)
}
