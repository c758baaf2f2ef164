package vonage_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
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
	for name, spoil := range map[string]func(*vonage.Config){
		"key":         func(c *vonage.Config) { c.PrivateKey = inPEM(keys()[1]) },
		"application": func(c *vonage.Config) { c.ApplicationID = apiKey },
		"clock ahead": func(c *vonage.Config) { c.Now = func() time.Time { return now.Add(time.Hour) } },
		"clock late":  func(c *vonage.Config) { c.Now = func() time.Time { return now.Add(-time.Hour) } },
		"secret":      func(c *vonage.Config) { *c = byAccount(server.URL); c.APISecret = apiKey },
		"account":     func(c *vonage.Config) { *c = byAccount(server.URL); c.APIKey = apiSecret },
	} {
		t.Run(name, func(t *testing.T) {
			c := byApplication(server.URL)
			spoil(&c)
			_, err := open(t, c).Send(t.Context(), message())
			gatewaytest.WantError(t, err, gateway.Configuration, gateway.NotSent, "says unauthorized")
		})
	}
}

// Every fault of the settings at once, and none with what was given.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spoil func(*vonage.Config)
		want  []string
	}{
		{func(c *vonage.Config) { *c = vonage.Config{} }, []string{"application_id", "from"}},
		{func(c *vonage.Config) { c.ApplicationID = secret.Text{} }, []string{"application_id"}},
		{func(c *vonage.Config) { c.PrivateKey = secret.Text{} }, []string{"private_key"}},
		{func(c *vonage.Config) { c.PrivateKey = secret.New("T0KEN") }, []string{"private_key"}},
		{func(c *vonage.Config) { c.PrivateKey = inPEM(keys()[2]) }, []string{"private_key"}},
		{func(c *vonage.Config) { c.APIKey = apiKey }, []string{"api_key"}},
		{func(c *vonage.Config) { *c = byAccount(""); c.APISecret = secret.Text{} }, []string{"api_secret"}},
		{func(c *vonage.Config) { *c = byAccount(""); c.APIKey = secret.Text{} }, []string{"api_key"}},
		{func(c *vonage.Config) { c.From = "whatsapp:T0KEN" }, []string{"from"}},
		{func(c *vonage.Config) { c.From = "Acme Limited" }, []string{"from"}},
		{func(c *vonage.Config) { c.From = "1415555010012345" }, []string{"from"}},
		{func(c *vonage.Config) { c.From = "+14155550100" }, nil},
		{func(c *vonage.Config) { c.TTL = 19 * time.Second }, []string{"ttl"}},
		{func(c *vonage.Config) { c.TTL = -time.Second }, []string{"ttl"}},
		{func(c *vonage.Config) { c.TTL = 20500 * time.Millisecond }, []string{"ttl"}},
		{func(c *vonage.Config) { c.TTL = 169 * time.Hour }, []string{"ttl"}},
		{func(c *vonage.Config) { c.TTL = 168 * time.Hour }, nil},
		{func(c *vonage.Config) { c.Endpoint = "http://api.nexmo.com/T0KEN" }, []string{"endpoint"}},
		{func(c *vonage.Config) { c.Endpoint = "" }, nil},
	} {
		config := byApplication("")
		c.spoil(&config)
		_, err := vonage.Open(config)
		found, _ := errors.AsType[carrier.Faults](err)
		if got := slices.Sorted(maps.Keys(found)); !slices.Equal(got, c.want) || strings.Contains(fmt.Sprint(err), "T0KEN") {
			t.Errorf("%v, want faults of %q", err, c.want)
		}
	}
}
