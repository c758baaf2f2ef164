package webhook

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/secret"
)

// What the URL said at the start counts for nothing when it is dialled: with the name of a public host that has come to lead
// to loopback (DNS rebinding), nobody is reached unless that was allowed, and over https only by whom the certificate names.
func TestAddressesAreJudgedWhenDialled(t *testing.T) {
	t.Parallel()
	var reached atomic.Int64
	receive := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) })
	plain, secure := httptest.NewServer(receive), httptest.NewTLSServer(receive)
	t.Cleanup(plain.Close)
	t.Cleanup(secure.Close)
	for _, c := range []struct {
		opened, leads string
		allowPrivate  bool
		reason        gateway.Reason // "": accepted
	}{
		{"https://sms.example.com", secure.URL, false, gateway.Configuration},
		{"https://sms.example.com", plain.URL, false, gateway.Configuration},
		{"https://sms.example.com", secure.URL, true, gateway.Temporary}, // the certificate
		{"http://sms.example.com", plain.URL, true, ""},
		{"http://sms.example.com", strings.Replace(plain.URL, "127.0.0.1", "localhost", 1), true, ""},
	} {
		g, err := Open(Config{URL: secret.New(c.opened), AllowPrivate: c.allowPrivate, Secrets: []secret.Text{secret.New("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")}})
		if err != nil {
			t.Fatal(err)
		}
		g.url = secret.New(c.leads)
		before := reached.Load()
		_, err = g.Send(t.Context(), gateway.Message{ID: "1"})
		e, _ := err.(*gateway.Error)
		if c.reason == "" && (err != nil || reached.Load() != before+1) || c.reason != "" && (e == nil || e.Reason != c.reason || e.Sent != gateway.NotSent || reached.Load() != before) {
			t.Errorf("%s, which leads to %s: %v, want %q", c.opened, c.leads, err, c.reason)
		}
	}
}
