package webhook_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/webhook"
	"smsd/internal/secret"
)

// It is seen whether the receiver is there, and the receiver sees nothing of it.
func TestExamine(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("it was asked") }))
	const key = "whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz"
	t.Cleanup(server.Close)
	examine := func(url string) string {
		t.Helper()
		g, err := webhook.Open(webhook.Config{URL: secret.New(url + "/messages?token=T0KEN"), Secrets: []secret.Text{secret.New(key)}, AllowPrivate: true})
		if err != nil {
			t.Fatal(err)
		}
		return gatewaytest.Findings(t, g.Examine(t.Context(), nil), "T0KEN", key, "127.0.0.1")
	}
	gatewaytest.WantFindings(t, examine(server.URL), "good connection: the receiver can be reached, in your own network, without TLS; whether it takes messages only one can tell")
	gatewaytest.WantFindings(t, examine(gatewaytest.Nobody(t)), "bad connection: no connection: connection refused")
}
