package webhook_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/gateway/webhook"
	"smsd/internal/secret"
)

// urlToken stands in the URL's path, as the secret of many receivers does.
const urlToken = "T0KEN-f81d4fae"

// open returns a driver that calls url and signs with secrets.
func open(t *testing.T, url string, secrets ...string) *webhook.Gateway {
	t.Helper()
	c := webhook.Config{URL: secret.New(url + "/" + urlToken), AllowPrivate: true}
	for _, s := range secrets {
		c.Secrets = append(c.Secrets, secret.New(s))
	}
	g, err := webhook.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// refusals are the answers of a receiver that says why.
var refusals = map[gatewaytest.Scenario]int{
	gatewaytest.BadNumber: 422, gatewaytest.Throttled: 429, gatewaytest.Configuration: 400, gatewaytest.Content: 422, gatewaytest.Unavailable: 503,
}

func TestConformance(t *testing.T) {
	t.Parallel()
	gatewaytest.RunHTTP(t, gatewaytest.HTTPHarness{
		Open:    func(t *testing.T, url string) gateway.Driver { return open(t, url, vectorSecret) },
		Carrier: fake,
		Takes:   []gatewaytest.Scenario{"200, empty", "200, an error inside"}, // an object without a reason
		Secrets: []string{vectorSecret, urlToken},
	})
}

// fake is a receiver that checks the signature and answers as s says, echoing what it was sent.
func fake(t *testing.T, s gatewaytest.Scenario) http.Handler {
	proof := receiver{key: vectorKey(t)}
	var taken atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !proof.signed(r.Header, body) || r.Method != http.MethodPost || r.URL.Path != "/"+urlToken {
			t.Error("the request is not signed, or not what was asked for")
		}
		if s == gatewaytest.Accepted {
			fmt.Fprintf(w, `{"id": "id-%d"}`, taken.Add(1))
			return
		}
		refuse(w, s, fmt.Sprintf("url=%s %s", r.URL, body))
	})
}

func refuse(w http.ResponseWriter, s gatewaytest.Scenario, echo string) {
	reason := string(s)
	if s == gatewaytest.Unavailable {
		reason = "temporary"
	}
	w.WriteHeader(refusals[s])
	_ = json.NewEncoder(w).Encode(map[string]any{"reason": reason, "detail": echo, "retry_after": 30})
}

// A receiver that gives a reason and takes the message at once contradicts itself.
func TestContradiction(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"id": "1", "reason": "bad_number"}`) }))
	t.Cleanup(server.Close)
	_, err := open(t, server.URL, vectorSecret).Send(t.Context(), message())
	if e, ok := err.(*gateway.Error); !ok || e.Reason != gateway.Ambiguous || e.Sent != gateway.MaybeSent {
		t.Errorf("%v", err)
	}
}
