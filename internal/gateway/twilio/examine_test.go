package twilio_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/twilio"
	"smsd/internal/gateway/twilio/twiliofake"
	"smsd/internal/secret"
)

// examine returns the findings of a handler's account.
func examine(t *testing.T, c twilio.Config, handler http.Handler) string {
	t.Helper()
	server := httptest.NewServer(handler)
	defer server.Close()
	c.Endpoint = server.URL
	return gatewaytest.Findings(t, open(t, c).Examine(t.Context(), nil),
		account.Reveal(), key.Reveal(), hidden.Reveal(), token.Reveal(), "14155550100", "Basic ", "someone@")
}

func whole() twiliofake.Account {
	return twiliofake.Account{Numbers: map[string]bool{"+14155550100": true}, Services: []string{service}, Balance: "12.50"}
}

func fakeOf(a twiliofake.Account) *twiliofake.Fake {
	return &twiliofake.Fake{AccountSID: account, User: key, Password: hidden, Account: a}
}

var begun = gatewaytest.Begun()

func TestExamineGood(t *testing.T) {
	t.Parallel()
	gatewaytest.WantFindings(t, examine(t, byKey(""), fakeOf(whole())), append(begun[:3:3],
		"good sender: a number of the account that can send SMS", "good account: active", "good balance: 12.50 USD")...)
	c := byKey("")
	c.From, c.MessagingServiceSID = "", service
	gatewaytest.WantFindings(t, examine(t, c, fakeOf(whole())), append(begun[:3:3],
		"good messaging service: the account has it", "good account: active", "good balance: 12.50 USD")...)
}

// What the account lacks, one thing at a time: the line that is other than that of a good one.
func TestExamineAccount(t *testing.T) {
	t.Parallel()
	refuses := func(end string, code int) func(*twiliofake.Account, *twilio.Config) {
		return func(a *twiliofake.Account, _ *twilio.Config) { a.Refuses = map[string]int{end: code} }
	}
	for name, c := range map[string]struct {
		change func(*twiliofake.Account, *twilio.Config)
		want   string
		good   int
	}{
		"no such number":  {func(a *twiliofake.Account, _ *twilio.Config) { a.Numbers = nil }, "bad sender: the account has no such number", 5},
		"no SMS":          {func(a *twiliofake.Account, _ *twilio.Config) { a.Numbers["+14155550100"] = false }, "bad sender: the number can't send SMS", 5},
		"a sender id":     {func(_ *twiliofake.Account, c *twilio.Config) { c.From = "Acme" }, "doubtful sender: a short code or a sender id, which can't be asked about here", 5},
		"no service":      {func(a *twiliofake.Account, c *twilio.Config) { a.Services, c.MessagingServiceSID = nil, service }, "bad messaging service: the account has none of that name: 20404", 6},
		"suspended":       {func(a *twiliofake.Account, _ *twilio.Config) { a.Status = "suspended" }, "bad account: it is suspended", 5},
		"a trial":         {func(a *twiliofake.Account, _ *twilio.Config) { a.Type = "Trial" }, "bad account: a trial: messages go to numbers alone that were verified in the console", 5},
		"a subaccount":    {func(a *twiliofake.Account, _ *twilio.Config) { a.Balance = "" }, "good balance: a subaccount's, which is that of the account above it", 6},
		"little left":     {func(a *twiliofake.Account, _ *twilio.Config) { a.Balance = "9.99" }, "doubtful balance: little is left: 9.99 USD", 5},
		"nothing left":    {func(a *twiliofake.Account, _ *twilio.Config) { a.Balance = "0" }, "doubtful balance: nothing is left: 0.00 USD", 5},
		"a key of little": {refuses("/Balance.json", 70051), "doubtful balance: the key may not ask: 70051", 5},
		"too many":        {refuses("/Balance.json", 20429), "doubtful balance: the carrier does not say now: 20429", 5},
		"a new code":      {refuses("/Balance.json", 29999), "doubtful balance: the carrier does not say: 29999", 5},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, config := whole(), byKey("")
			c.change(&a, &config)
			gatewaytest.WantFinding(t, examine(t, config, fakeOf(a)), c.want, c.good)
		})
	}
}

// A Standard key may not read the account itself, which says nothing against it; nor may a Restricted one read what it was not allowed.
func TestExamineKeys(t *testing.T) {
	t.Parallel()
	a := whole()
	a.Refuses = map[string]int{account.Reveal() + ".json": 20003}
	gatewaytest.WantFinding(t, examine(t, byKey(""), fakeOf(a)), "doubtful account: the key may not ask: 20003", 5)
	a.Refuses = map[string]int{".json": 70051}
	gatewaytest.WantFindings(t, examine(t, byKey(""), fakeOf(a)), begun[0], begun[1], "doubtful sender: the key may not ask: 70051",
		"doubtful account: the key may not ask: 70051", "doubtful balance: the key may not ask: 70051")
}

// Who is not let in is told so, once, and nothing else is asked.
func TestExamineRefused(t *testing.T) {
	t.Parallel()
	fake := fakeOf(whole())
	fake.Password = secret.New("another")
	gatewaytest.WantFindings(t, examine(t, byKey(""), fake), begun[0], begun[1], "bad credentials: the carrier says 20003")
	a := whole()
	a.Refuses = map[string]int{".json": 20403}
	gatewaytest.WantFindings(t, examine(t, byKey(""), fakeOf(a)), begun[0], begun[1], "bad credentials: the carrier says 20403: the account is suspended or closed")
}

// What is not the carrier.
func TestExamineNobodyThere(t *testing.T) {
	t.Parallel()
	for _, answer := range []string{"<html>", "{}", `{"incoming_phone_numbers": 7}`, "[]"} {
		page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(answer)) })
		got := examine(t, byKey(""), page)
		want := "bad answer: the answer is not one of the carrier's, status 200"
		if answer == "{}" {
			want = "bad answer: the answer is not one of the carrier's"
		}
		gatewaytest.WantFindings(t, got, begun[0], begun[1], want)
	}
	gatewaytest.WantFindings(t, examine(t, byKey(""), http.NotFoundHandler()), begun[0], begun[1], "bad answer: the answer is not one of the carrier's, status 404")
	hangUp := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
	gatewaytest.WantFindings(t, examine(t, byKey(""), hangUp), "bad connection: no whole answer: the other side hung up")
}
