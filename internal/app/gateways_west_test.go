package app

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"smsd/internal/config"
	"smsd/internal/gateway/twilio/twiliofake"
	"smsd/internal/gateway/vonage/vonagefake"
	"smsd/internal/secret"
)

const (
	twilioAccount = "AC0123456789abcdef0123456789abcdef"
	twilioKey     = "SKfedcba9876543210fedcba9876543210"
	westSecret    = "hunter2hunter2"
)

// loaded is what a file says of one gateway, with its secrets in files of their own.
func loaded(t *testing.T, block string, secrets map[string]string) setting {
	t.Helper()
	folder := t.TempDir()
	for name, text := range secrets {
		write(t, filepath.Join(folder, name), text+"\n")
	}
	file := filepath.Join(folder, "smsd.yaml")
	write(t, file, "gateway: west\ngateways:\n  west: "+strings.ReplaceAll(block, "FOLDER", folder)+"\n")
	cfg, err := config.Load(config.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	if faults := checkGateways(cfg); len(faults) != 0 {
		t.Fatal(faults)
	}
	return func(c *config.Config) { c.Gateway, c.Gateways = cfg.Gateway, cfg.Gateways }
}

// The whole way, over a fake of the vendor: what it takes verifies, what it refuses is what the client is told, and given back.
func TestTwilio(t *testing.T) {
	t.Parallel()
	code, text := 0, ""
	server := httptest.NewServer(&twiliofake.Fake{AccountSID: secret.New(twilioAccount), User: secret.New(twilioKey), Password: secret.New(westSecret),
		Answer: func(m twiliofake.Message) int { text = m.Body; return code }})
	t.Cleanup(server.Close)
	block := fmt.Sprintf("{kind: twilio, account_sid: %s, api_key_sid: %s, api_key_secret_file: FOLDER/secret, from: Acme, validity_period: 5m, endpoint: %q}",
		twilioAccount, twilioKey, server.URL)
	west := loaded(t, block, map[string]string{"secret": westSecret})
	s := start(t, rules(cooldown, longCode), west)
	for refusal, want := range map[int]string{
		21610: "422 undeliverable", 14107: "429 rate_limited", 20429: "502 gateway_failed", 21617: "502 gateway_failed",
	} {
		code = refusal
		to := alice
		if refusal == 14107 {
			to = german // who is not asked for again meanwhile
		}
		s.wants(s.send(to), want)
	}
	code = 21408 // a country that is not enabled
	s.wants(s.send(bob), "422 undeliverable")
	code = 20005 // the account; from now on the gateway is not asked for the country
	s.wants(s.send(bob), "502 gateway_failed")
	s.wants(s.send(bob), "502 gateway_failed")
	code = 0
	id := s.wants(s.send(alice), "200").text("sms_id")
	s.wants(s.verify(id, strings.Fields(text)[0]), "200")
	nothingOf(s, twilioAccount, twilioKey, westSecret, strings.Fields(text)[0])
}

func TestVonage(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	var refusal vonagefake.Refusal
	var text string
	server := httptest.NewServer(&vonagefake.Fake{ApplicationID: secret.New("78d335fa"), PublicKey: &key.PublicKey,
		Answer: func(m vonagefake.Message) vonagefake.Refusal { text = m.Text; return refusal }})
	t.Cleanup(server.Close)
	block := fmt.Sprintf("{kind: vonage, application_id: 78d335fa, private_key_file: FOLDER/private.key, from: Acme, ttl: 30m, endpoint: %q}", server.URL)
	west := loaded(t, block, map[string]string{"private.key": string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))})
	s := start(t, rules(cooldown, longCode), west)
	for _, c := range []struct {
		refusal vonagefake.Refusal
		want    string
	}{
		{vonagefake.Refusal{Status: 422, Code: "110", Title: "Invalid recipient"}, "422 undeliverable"},
		{vonagefake.Refusal{Status: 429, Code: "1472", Title: "..."}, "429 rate_limited"},
		{vonagefake.Refusal{Status: 402, Code: "low-balance", Title: "Low balance"}, "502 gateway_failed"}, // of another country's number
		{vonagefake.Refusal{}, "200"},
	} {
		refusal = c.refusal
		to := alice
		switch refusal.Status {
		case 402:
			to = bob
		case 429: // who is not asked for again meanwhile
			to = german
		}
		a := s.wants(s.send(to), c.want)
		if c.want == "200" {
			s.wants(s.verify(a.text("sms_id"), strings.Fields(text)[0]), "200")
		}
	}
	nothingOf(s, "Bearer", "eyJ", strings.Fields(text)[0])
}

// nothingOf sees that the log has none of what is hidden.
func nothingOf(s *service, hidden ...string) {
	s.t.Helper()
	for _, h := range hidden {
		if strings.Contains(s.log.String(), h) {
			s.t.Errorf("the log holds %s", h)
		}
	}
}

// Every fault of a block at once, each with its place, and none with what was given.
func TestFaultsOfTwilioAndVonage(t *testing.T) {
	t.Parallel()
	for block, want := range map[string][]string{
		"{kind: twilio}": {"gateways.west.account_sid: must be given", "gateways.west.api_key_sid: must be given with", "gateways.west.from: must be given"},
		"{kind: twilio, account_sid: hunter2, auth_token: hunter2, from: 'hunter2:1', validity_period: hunter2}": {
			"gateways.west.account_sid (FILE:3): must be given: AC", "gateways.west.from (FILE:3): must be a number", "gateways.west.validity_period (FILE:3): must be whole seconds"},
		"{kind: twilio, account_sid: " + twilioAccount + ", auth_token: hunter2, from: '+14155550100', ttl: 5m}": {
			"gateways.west.ttl (FILE:3): unknown; a gateway of kind twilio has the settings account_sid, api_key_sid"},
		"{kind: twilio, account_sid: " + twilioAccount + ", auth_token: hunter2, from: '+14155550100'}": nil,
		"{kind: twilio, account_sid: " + twilioAccount + ", auth_token: hunter2, receipt_token: hunter2, from: '+14155550100'}": {
			"gateways.west.receipt_token (FILE:3): must not be given beside auth_token"},
		"{kind: twilio, account_sid: " + twilioAccount + ", api_key_sid: " + twilioKey + ", api_key_secret: hunter2, receipt_token: hunter2, from: '+14155550100'}": nil,
		"{kind: vonage, api_key: hunter2, api_secret: hunter2, signature_secret: hunter2, from: Acme}": {
			"gateways.west.signature_secret (FILE:3): must have at least 16 characters"},
		"{kind: vonage, api_key: hunter2, api_secret: hunter2, signature_secret: hunter2hunter2hunter2, from: Acme}": nil,
		"{kind: vonage}": {"gateways.west.application_id: must be given", "gateways.west.from: must be given"},
		"{kind: vonage, application_id: hunter2, private_key: hunter2, from: Acme, ttl: 1s, endpoint: 'http://hunter2.example.com'}": {
			"gateways.west.endpoint (FILE:3): must be https", "gateways.west.private_key (FILE:3): must be the application's RSA key", "gateways.west.ttl (FILE:3): must be whole seconds"},
		"{kind: vonage, api_key: hunter2, api_secret: hunter2, from: '+14155550100'}": nil,
	} {
		wantFaults(t, block, want)
	}
}

// wantFaults sees that a block of settings has these faults, in order: each begins as want has it, with FILE for its file, and repeats
// nothing of what was given, which has hunter in it.
func wantFaults(t *testing.T, block string, want []string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "smsd.yaml")
	write(t, file, "# line 1\ngateways:\n  west: "+block+"\n")
	cfg, err := config.Load(config.Options{File: file})
	if err != nil {
		t.Fatal(err)
	}
	faults := checkGateways(cfg)
	if len(faults) != len(want) {
		t.Errorf("%s: %v, want %q", block, faults, want)
		return
	}
	for i, fault := range faults {
		if line := strings.ReplaceAll(fault.Error(), file, "FILE"); !strings.HasPrefix(line, want[i]) || strings.Contains(line, "hunter") {
			t.Errorf("%s: %s, want %s", block, line, want[i])
		}
	}
}
