package app

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"smsd/internal/config"
)

const hookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

// hook is a receiver of messages, which answers as it is told.
type hook struct {
	*httptest.Server
	mu     sync.Mutex
	answer func(http.ResponseWriter)
	got    []hookMessage
}

type hookMessage struct {
	header http.Header
	raw    []byte
	Data   struct {
		ID, Phone, Scene, Text, Code string
		SMSID                        string `json:"sms_id"`
	}
}

func newHook(t *testing.T) *hook {
	t.Helper()
	h := &hook{answer: func(w http.ResponseWriter) { fmt.Fprint(w, `{"id": "SM1"}`) }}
	h.Server = httptest.NewServer(h)
	t.Cleanup(h.Close)
	return h
}

func (h *hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	m := hookMessage{header: r.Header}
	m.raw, _ = io.ReadAll(r.Body)
	_ = json.Unmarshal(m.raw, &m) // what can't be read is empty, and a test sees that
	h.mu.Lock()
	defer h.mu.Unlock()
	h.got = append(h.got, m)
	h.answer(w)
}

// says changes the answer.
func (h *hook) says(answer func(http.ResponseWriter)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.answer = answer
}

// newest returns the last message and how many there were.
func (h *hook) newest() (hookMessage, int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.got) == 0 {
		return hookMessage{}, 0
	}
	return h.got[len(h.got)-1], len(h.got)
}

// byHook is what a file says of a webhook at url.
func byHook(t *testing.T, url string) setting {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "secret"), hookSecret+"\n")
	write(t, filepath.Join(folder, "smsd.yaml"), fmt.Sprintf(
		"gateway: my-hook\ngateways:\n  my-hook: {kind: webhook, url: %q, secret_file: %q, allow_private: true}\n", url, filepath.Join(folder, "secret")))
	loaded, err := config.Load(config.Options{File: filepath.Join(folder, "smsd.yaml")})
	if err != nil {
		t.Fatal(err)
	}
	if faults := checkGateways(loaded); len(faults) != 0 {
		t.Fatal(faults)
	}
	return func(c *config.Config) { c.Gateway, c.Gateways = loaded.Gateway, loaded.Gateways }
}

func status(code int, body string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) { w.WriteHeader(code); fmt.Fprint(w, body) }
}

// The whole way, through a receiver of one's own: the code arrives there and verifies here, and each answer becomes what the
// client is to be told, with the quota given back where nothing was sent.
func TestWebhook(t *testing.T) {
	t.Parallel()
	h := newHook(t)
	s := start(t, rules(cooldown, longCode), byHook(t, h.URL+"/hooks/T0KEN"))

	id := s.wants(s.send(alice), "200").text("sms_id")
	m, n := h.newest()
	if n != 1 || m.Data.SMSID != id || m.Data.Phone != alice || m.Data.Scene != "login" || !strings.Contains(m.Data.Text, m.Data.Code) {
		t.Fatalf("%d messages, the newest %s", n, m.raw)
	}
	if m.header.Get("webhook-id") != m.Data.ID || m.Data.ID == "" || !strings.HasPrefix(m.header.Get("webhook-signature"), "v1,") {
		t.Errorf("header %v", m.header)
	}
	s.wants(s.verify(id, m.Data.Code), "200")
	s.wants(s.send(alice), "429 rate_limited")
	if welcome := s.app.welcome(); strings.Contains(welcome, "inbox") || strings.Contains(welcome, alice) {
		t.Errorf("there is no inbox, and messages reach people: %s", welcome)
	}

	for i, c := range []struct {
		answer   func(http.ResponseWriter)
		want     string
		delivery string
	}{
		{status(422, `{"reason": "bad_number", "detail": "+447400123456 T0KEN"}`), "422 undeliverable", ""},
		{status(429, `{"reason": "throttled", "retry_after": 30}`), "429 rate_limited", ""},
		{status(503, `{"reason": "temporary"}`), "502 gateway_failed", ""},
		{status(404, "<html>"), "502 gateway_failed", ""}, // from now on the gateway is not asked for this country
		{status(500, ""), "200", "unknown"},
	} {
		h.says(c.answer)
		to := []string{bob, "+33612345678", bob, german, bob}[i]
		if got := s.wants(s.send(to), c.want); got.text("delivery") != c.delivery {
			t.Errorf("%s: delivery %q, want %q", got, got.text("delivery"), c.delivery)
		}
	}
	if _, n := h.newest(); n != 6 {
		t.Errorf("%d messages arrived, want 6", n)
	}
	s.wants(s.send(bob), "429 rate_limited") // what may have been sent stays charged
	for _, hidden := range []string{"T0KEN", hookSecret, hookSecret[6:], m.Data.Code, "447400123456"} {
		if strings.Contains(s.log.String(), hidden) {
			t.Errorf("the log holds %s", hidden)
		}
	}
}

// A receiver that is not there: nothing was sent, and all is given back.
func TestWebhookOutOfReach(t *testing.T) {
	t.Parallel()
	h := newHook(t)
	h.Close()
	s := start(t, rules(cooldown), byHook(t, h.URL))
	for range 2 {
		s.wants(s.send(alice), "502 gateway_failed")
	}
	if log := s.log.String(); !strings.Contains(log, "connection refused") {
		t.Error("the log does not tell why")
	}
}

// Every fault of a block at once, each with its place, and none with what was given.
func TestFaultsOfWebhooks(t *testing.T) {
	t.Parallel()
	for block, want := range map[string][]string{
		"{kind: webhook}": {"gateways.hook.secret: must be 1 to 4 secrets", "gateways.hook.url: must be given"},
		"{kind: webhook, url: 'http://sms.example.com/hunter2', secret: hunter2}": {
			"gateways.hook.secret (FILE:3): secret 1 of 1 must be whsec_", "gateways.hook.url (FILE:3): must be https"},
		"{kind: webhook, url: 'https://10.0.0.1/hunter2', secret: " + hookSecret + "}":                        {"gateways.hook.url (FILE:3): leads to an address"},
		"{kind: webhook, url: 'https://sms.example.com', secret: [" + hookSecret + ", hunter2]}":              {"gateways.hook.secret (FILE:3): secret 2 of 2"},
		"{kind: webhook, url: 'https://sms.example.com', secret: " + hookSecret + ", allow_private: hunter2}": {"gateways.hook.allow_private (FILE:3): must be true or false"},
		"{kind: webhook, url: 'https://sms.example.com', secret: " + hookSecret + ", hunter: 2}":              {"gateways.hook.hunter (FILE:3): unknown; a gateway of kind webhook has the settings url, secret, allow_private, kind, rate, burst"},
		"{kind: mock, url: hunter2}": {"gateways.hook.url (FILE:3): unknown; a gateway of kind mock has the settings kind, rate, burst"},
		"{kind: webhook, url: 'https://sms.example.com', secret_file: /nowhere/at/all}":      {"gateways.hook.secret (FILE:3): open /nowhere/at/all"},
		"{kind: webhook, url: 'https://sms.example.com', secret: a, secret_file: /dev/null}": {"gateways.hook.secret (FILE:3): is given twice"},
		"{kind: webhook, url: 'https://sms.example.com', secret: " + hookSecret + "}":        {},
	} {
		file := filepath.Join(t.TempDir(), "smsd.yaml")
		write(t, file, "# line 1\ngateways:\n  hook: "+block+"\n")
		cfg, err := config.Load(config.Options{File: file})
		var lines []string
		if err != nil {
			lines = strings.Split(err.Error(), "\n")
		}
		for _, fault := range checkGateways(cfg) {
			lines = append(lines, fault.Error())
		}
		if len(lines) != len(want) {
			t.Errorf("%s: %q, want %q", block, lines, want)
			continue
		}
		for i, line := range lines {
			if line = strings.ReplaceAll(line, file, "FILE"); !strings.HasPrefix(line, want[i]) || strings.Contains(line, "hunter2") {
				t.Errorf("%s: %s, want %s", block, line, want[i])
			}
		}
	}
}
