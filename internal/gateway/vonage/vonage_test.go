package vonage_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/vonage"
	"smsd/internal/gateway/vonage/vonagefake"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

var (
	application = secret.New("78d335fa-323d-0114-9c3d-d6f0d48968cf")
	apiKey      = secret.New("fake1234")
	apiSecret   = secret.New("fake+secret/T0KEN")
)

var now = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)

func clock() time.Time { return now }

// keys take a while to make. The last is too small.
var keys = sync.OnceValue(func() [3]*rsa.PrivateKey {
	var made [3]*rsa.PrivateKey
	for i, bits := range []int{2048, 2048, 1024} {
		key, err := rsa.GenerateKey(rand.Reader, bits)
		if err != nil {
			panic(err)
		}
		made[i] = key
	}
	return made
})

func inPEM(key *rsa.PrivateKey) secret.Text {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		panic(err)
	}
	return secret.New(string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})))
}

func byApplication(url string) vonage.Config {
	return vonage.Config{ApplicationID: application, PrivateKey: inPEM(keys()[0]), From: "Acme", Endpoint: url, Now: clock}
}

func byAccount(url string) vonage.Config {
	return vonage.Config{APIKey: apiKey, APISecret: apiSecret, From: "Acme", Endpoint: url, Now: clock}
}

func newFake(answer func(vonagefake.Message) vonagefake.Refusal) *vonagefake.Fake {
	return &vonagefake.Fake{
		ApplicationID: application, PublicKey: &keys()[0].PublicKey, APIKey: apiKey, APISecret: apiSecret, Now: clock, Answer: answer,
	}
}

// refusals are what the vendor says in each scenario.
var refusals = map[gatewaytest.Scenario]vonagefake.Refusal{
	gatewaytest.BadNumber:     {Status: 422, Code: "110", Title: "Invalid recipient"},
	gatewaytest.Throttled:     {Status: 429, Code: "1241", Title: "Too many send requests"},
	gatewaytest.Configuration: {Status: 402, Code: "low-balance", Title: "Low balance"},
	gatewaytest.Content:       {Status: 422, Code: "1150", Title: "Invalid params", Parameters: []string{"text"}},
	gatewaytest.Unavailable:   {Status: 429, Code: "1000", Title: "Throttled"},
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for name, config := range map[string]func(string) vonage.Config{"application": byApplication, "account": byAccount} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gatewaytest.RunHTTP(t, gatewaytest.HTTPHarness{
				Open:    func(t *testing.T, url string) gateway.Driver { return open(t, config(url)) },
				Carrier: vendor,
				Secrets: []string{apiKey.Reveal(), apiSecret.Reveal(), apiKey.Reveal() + ":" + apiSecret.Reveal(),
					application.Reveal(), inPEM(keys()[0]).Reveal(), "Bearer", "eyJ"},
			})
		})
	}
}

// vendor answers in its words. That the credentials are right is seen in each: without, no answer is the scenario's.
func vendor(_ *testing.T, s gatewaytest.Scenario) http.Handler {
	return newFake(func(vonagefake.Message) vonagefake.Refusal { return refusals[s] })
}

func open(t *testing.T, c vonage.Config) *vonage.Gateway {
	t.Helper()
	g, err := vonage.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func message() gateway.Message {
	return gateway.Message{ID: "6f0e4b6e-9d0c-4b6e-9d0c-6d5d3c1f7a11", Phone: phone.MustParse("+447400123456"), Code: secret.New("493817"),
		Text: secret.New("493817 是验证码 & it's \"+5%\" <\n")}
}

// What the vendor is asked to send, by each of the credentials and kinds of sender.
func TestMessage(t *testing.T) {
	t.Parallel()
	long := message()
	long.ID = strings.Repeat("x", 41)
	for name, c := range map[string]struct {
		config vonage.Config
		m      gateway.Message
		want   vonagefake.Message
	}{
		"application": {byApplication(""), message(), vonagefake.Message{From: "Acme", ClientRef: message().ID}},
		"account": {vonage.Config{APIKey: apiKey, APISecret: apiSecret, From: "+14155550100", TTL: 5 * time.Minute, Now: clock},
			message(), vonagefake.Message{From: "14155550100", TTL: 300, ClientRef: message().ID}},
		"an id that is no reference": {byAccount(""), long, vonagefake.Message{From: "Acme"}},
	} {
		var got vonagefake.Message
		server := httptest.NewServer(newFake(func(m vonagefake.Message) vonagefake.Refusal { got = m; return vonagefake.Refusal{} }))
		c.config.Endpoint = server.URL
		accepted, err := open(t, c.config).Send(t.Context(), c.m)
		server.Close()
		c.want.Channel, c.want.MessageType, c.want.To, c.want.Text, c.want.ID = "sms", "text", "447400123456", message().Text.Reveal(), accepted.ProviderID
		if err != nil || accepted.ProviderID != "aaaaaaaa-bbbb-4ccc-8ddd-000000000001" || got != c.want {
			t.Errorf("%s: %+v, %v; the vendor got\n%+v, want\n%+v", name, accepted, err, got, c.want)
		}
	}
}

// Credentials that are wrong in any part are found by the fake, so that a test over it shows that they are right.
func TestWrongCredentials(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newFake(nil))
	defer server.Close()
	rows := map[string]gatewaytest.Refusal{}
	for name, spoil := range map[string]func(*vonage.Config){
		"key":         func(c *vonage.Config) { c.PrivateKey = inPEM(keys()[1]) },
		"application": func(c *vonage.Config) { c.ApplicationID = apiKey },
		"clock ahead": func(c *vonage.Config) { c.Now = func() time.Time { return now.Add(time.Hour) } },
		"clock late":  func(c *vonage.Config) { c.Now = func() time.Time { return now.Add(-time.Hour) } },
		"secret":      func(c *vonage.Config) { *c = byAccount(server.URL); c.APISecret = apiKey },
		"account":     func(c *vonage.Config) { *c = byAccount(server.URL); c.APIKey = apiSecret },
	} {
		c := byApplication(server.URL)
		spoil(&c)
		rows[name] = gatewaytest.Refusal{Driver: open(t, c), Message: message(), Reason: gateway.Configuration, Says: "says unauthorized"}
	}
	gatewaytest.WantRefusals(t, rows)
}

// Every fault of the settings at once, and none with what was given.
func TestFaults(t *testing.T) {
	t.Parallel()
	gatewaytest.WantFaults(t, func() vonage.Config { return byApplication("") }, func(c vonage.Config) error { _, err := vonage.Open(c); return err }, []gatewaytest.Spoiled[vonage.Config]{
		{Spoil: func(c *vonage.Config) { *c = vonage.Config{} }, Want: []string{"application_id", "from"}},
		{Spoil: func(c *vonage.Config) { c.ApplicationID = secret.Text{} }, Want: []string{"application_id"}},
		{Spoil: func(c *vonage.Config) { c.PrivateKey = secret.Text{} }, Want: []string{"private_key"}},
		{Spoil: func(c *vonage.Config) { c.PrivateKey = secret.New("T0KEN") }, Want: []string{"private_key"}},
		{Spoil: func(c *vonage.Config) { c.PrivateKey = inPEM(keys()[2]) }, Want: []string{"private_key"}},
		{Spoil: func(c *vonage.Config) { c.APIKey = apiKey }, Want: []string{"api_key"}},
		{Spoil: func(c *vonage.Config) { *c = byAccount(""); c.APISecret = secret.Text{} }, Want: []string{"api_secret"}},
		{Spoil: func(c *vonage.Config) { *c = byAccount(""); c.APIKey = secret.Text{} }, Want: []string{"api_key"}},
		{Spoil: func(c *vonage.Config) { c.From = "whatsapp:T0KEN" }, Want: []string{"from"}},
		{Spoil: func(c *vonage.Config) { c.From = "Acme Limited" }, Want: []string{"from"}},
		{Spoil: func(c *vonage.Config) { c.From = "1415555010012345" }, Want: []string{"from"}},
		{Spoil: func(c *vonage.Config) { c.From = "+14155550100" }},
		{Spoil: func(c *vonage.Config) { c.TTL = 19 * time.Second }, Want: []string{"ttl"}},
		{Spoil: func(c *vonage.Config) { c.TTL = -time.Second }, Want: []string{"ttl"}},
		{Spoil: func(c *vonage.Config) { c.TTL = 20500 * time.Millisecond }, Want: []string{"ttl"}},
		{Spoil: func(c *vonage.Config) { c.TTL = 169 * time.Hour }, Want: []string{"ttl"}},
		{Spoil: func(c *vonage.Config) { c.TTL = 168 * time.Hour }},
		{Spoil: func(c *vonage.Config) { c.Endpoint = "http://api.nexmo.com/T0KEN" }, Want: []string{"endpoint"}},
		{Spoil: func(c *vonage.Config) { c.Endpoint = "" }},
	})
}
