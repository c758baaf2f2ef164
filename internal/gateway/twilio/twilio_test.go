package twilio_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/twilio"
	"smsd/internal/gateway/twilio/twiliofake"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

var (
	account = secret.New("AC0123456789abcdef0123456789abcdef")
	key     = secret.New("SKfedcba9876543210fedcba9876543210")
	hidden  = secret.New("fake+key/secret=T0KEN")
	token   = secret.New("fake-auth-token")
)

const service = "MG00112233445566778899aabbccddeeff"

// refusals are what the vendor says in each scenario.
var refusals = map[gatewaytest.Scenario]int{
	gatewaytest.BadNumber:     21610,
	gatewaytest.Throttled:     14107,
	gatewaytest.Configuration: 21606,
	gatewaytest.Content:       21617,
	gatewaytest.Unavailable:   20429,
}

func TestConformance(t *testing.T) {
	t.Parallel()
	gatewaytest.RunHTTP(t, gatewaytest.HTTPHarness{
		Open:    func(t *testing.T, url string) gateway.Driver { return open(t, byKey(url)) },
		Carrier: vendor,
		Secrets: []string{account.Reveal(), key.Reveal(), hidden.Reveal(), key.Reveal() + ":" + hidden.Reveal()},
	})
}

// vendor answers in its words. That the credentials are right is seen in each: without, no answer is the scenario's.
func vendor(_ *testing.T, s gatewaytest.Scenario) http.Handler {
	return &twiliofake.Fake{AccountSID: account, User: key, Password: hidden, Answer: func(twiliofake.Message) int { return refusals[s] }}
}

func byKey(url string) twilio.Config {
	return twilio.Config{AccountSID: account, APIKeySID: key, APIKeySecret: hidden, From: "+14155550100", Endpoint: url}
}

func open(t *testing.T, c twilio.Config) *twilio.Gateway {
	t.Helper()
	g, err := twilio.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func message() gateway.Message {
	return gateway.Message{ID: "6f0e4b6e-9d0c", Phone: phone.MustParse("+447400123456"), Code: secret.New("493817"),
		Text: secret.New("493817 是验证码 & it's +5% =\n")}
}

// What the vendor is asked to send, by each of the credentials and senders.
func TestMessage(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		config         twilio.Config
		user, password secret.Text
		want           twiliofake.Message
	}{
		"key and number": {byKey(""), key, hidden, twiliofake.Message{From: "+14155550100"}},
		"token and service": {twilio.Config{AccountSID: account, AuthToken: token, MessagingServiceSID: service, ValidityPeriod: 5 * time.Minute},
			account, token, twiliofake.Message{MessagingServiceSID: service, ValidityPeriod: "300"}},
		"a sender of the service": {twilio.Config{AccountSID: account, AuthToken: token, MessagingServiceSID: service, From: "Acme 24", ValidityPeriod: time.Second},
			account, token, twiliofake.Message{From: "Acme 24", MessagingServiceSID: service, ValidityPeriod: "1"}},
	} {
		var got twiliofake.Message
		server := httptest.NewServer(&twiliofake.Fake{AccountSID: account, User: c.user, Password: c.password,
			Answer: func(m twiliofake.Message) int { got = m; return 0 }})
		c.config.Endpoint = server.URL
		accepted, err := open(t, c.config).Send(t.Context(), message())
		server.Close()
		c.want.To, c.want.Body, c.want.SID = "+447400123456", message().Text.Reveal(), accepted.ProviderID
		if err != nil || accepted.ProviderID != "SM00000000000000000000000000000001" || got != c.want {
			t.Errorf("%s: %+v, %v; the vendor got\n%+v, want\n%+v", name, accepted, err, got, c.want)
		}
	}
}

// Credentials that are wrong in any part are found by the fake, so that a test over it shows that they are right.
func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(&twiliofake.Fake{AccountSID: account, User: key, Password: hidden})
	defer server.Close()
	rows := map[string]gatewaytest.Refusal{}
	for what, spoil := range map[string]func(*twilio.Config){
		"20003": func(c *twilio.Config) { c.APIKeySecret = token },
		"20404": func(c *twilio.Config) { c.AccountSID = secret.New(strings.ToUpper(account.Reveal())) },
	} {
		c := byKey(server.URL)
		spoil(&c)
		rows[what] = gatewaytest.Refusal{Driver: open(t, c), Message: message(), Reason: gateway.Configuration, Says: "says " + what}
	}
	gatewaytest.WantRefusals(t, rows)
}

// Every fault of the settings at once, and none with what was given.
func TestFaults(t *testing.T) {
	t.Parallel()
	gatewaytest.WantFaults(t, func() twilio.Config { return byKey("") }, func(c twilio.Config) error { _, err := twilio.Open(c); return err }, []gatewaytest.Spoiled[twilio.Config]{
		{Spoil: func(c *twilio.Config) { *c = twilio.Config{} }, Want: []string{"account_sid", "api_key_sid", "from"}},
		{Spoil: func(c *twilio.Config) { c.AccountSID = secret.New("ACT0KEN") }, Want: []string{"account_sid"}},
		{Spoil: func(c *twilio.Config) { c.APIKeySID = account }, Want: []string{"api_key_sid"}},
		{Spoil: func(c *twilio.Config) { c.APIKeySecret = secret.Text{} }, Want: []string{"api_key_secret"}},
		{Spoil: func(c *twilio.Config) { c.APIKeySID = secret.Text{} }, Want: []string{"api_key_sid"}},
		{Spoil: func(c *twilio.Config) { c.AuthToken = token }, Want: []string{"auth_token"}},
		{Spoil: func(c *twilio.Config) { c.From = "whatsapp:+14155550100" }, Want: []string{"from"}},
		{Spoil: func(c *twilio.Config) { c.From = "+1415T0KEN" }}, // a sender id, if an odd one
		{Spoil: func(c *twilio.Config) { c.From = "14155550100" }, Want: []string{"from"}},
		{Spoil: func(c *twilio.Config) { c.From = "Acme Limited" }, Want: []string{"from"}},
		{Spoil: func(c *twilio.Config) { c.From = "12345" }},
		{Spoil: func(c *twilio.Config) { c.From = "Acme" }},
		{Spoil: func(c *twilio.Config) { c.MessagingServiceSID = "MGT0KEN" }, Want: []string{"messaging_service_sid"}},
		{Spoil: func(c *twilio.Config) { c.ValidityPeriod = 1500 * time.Millisecond }, Want: []string{"validity_period"}},
		{Spoil: func(c *twilio.Config) { c.ValidityPeriod = -time.Second }, Want: []string{"validity_period"}},
		{Spoil: func(c *twilio.Config) { c.ValidityPeriod = 10*time.Hour + time.Second }, Want: []string{"validity_period"}},
		{Spoil: func(c *twilio.Config) { c.ValidityPeriod = 10 * time.Hour }},
		{Spoil: func(c *twilio.Config) { c.Endpoint = "http://api.twilio.com/T0KEN" }, Want: []string{"endpoint"}},
		{Spoil: func(c *twilio.Config) { c.Endpoint = "" }},
	})
}
