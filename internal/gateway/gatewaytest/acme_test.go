package gatewaytest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync/atomic"
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/gatewaytest"
	"smsd/internal/secret"
)

// The driver and its test that docs/gateways.md shows; a test sees that they are the same there.

// Gateway is an account at Acme, who answers {"code": "OK", "id": "..."} or a code of its own.
type Gateway struct {
	url    string
	key    secret.Text
	client *carrier.Client
}

// reasons are the codes of Acme's manual. After each of them, it says, nothing was sent.
var reasons = map[string]gateway.Reason{
	"BAD_NUMBER": gateway.BadNumber,
	"TOO_MANY":   gateway.Throttled,
	"NO_BALANCE": gateway.Configuration,
	"TRY_LATER":  gateway.Temporary,
}

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	body, err := json.Marshal(map[string]string{"to": m.Phone.E164(), "text": m.Text.Reveal(), "ref": m.ID})
	if err != nil {
		return gateway.Accepted{}, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent}
	}
	answer, err := g.client.Do(ctx, carrier.Request{URL: g.url, Body: body, Header: http.Header{"Authorization": {"Bearer " + g.key.Reveal()}}})
	if err != nil {
		return gateway.Accepted{}, err // it is a *gateway.Error already
	}
	var said struct{ Code, ID string }
	if err := answer.JSON(&said); err != nil {
		return gateway.Accepted{}, err
	}
	if said.Code == "OK" && answer.OK() {
		return gateway.Accepted{ProviderID: said.ID}, nil
	}
	if reason, known := reasons[said.Code]; known {
		return gateway.Accepted{}, carrier.Refused(reason, said.Code)
	}
	return gateway.Accepted{}, carrier.Untold(said.Code)
}

// refusals are what Acme says in each scenario. It looks at no texts, so there is none for Content.
var refusals = map[gatewaytest.Scenario]string{
	gatewaytest.BadNumber:     "BAD_NUMBER",
	gatewaytest.Throttled:     "TOO_MANY",
	gatewaytest.Configuration: "NO_BALANCE",
	gatewaytest.Unavailable:   "TRY_LATER",
}

func TestConformance(t *testing.T) {
	gatewaytest.RunHTTP(t, gatewaytest.HTTPHarness{
		Open: func(t *testing.T, url string) gateway.Driver {
			return &Gateway{url, secret.New("key-1234"), carrier.New(carrier.Options{})}
		},
		Carrier: acme,
		Secrets: []string{"key-1234"},
	})
}

// acme answers as Acme does, and echoes what it was sent.
func acme(_ *testing.T, s gatewaytest.Scenario) http.Handler {
	if s != gatewaytest.Accepted && refusals[s] == "" {
		return nil
	}
	var taken atomic.Int64
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ To, Text string }
		_ = json.NewDecoder(r.Body).Decode(&asked)
		switch {
		case r.Header.Get("Authorization") != "Bearer key-1234":
			fmt.Fprintf(w, `{"code": "BAD_KEY", "detail": %q}`, r.Header.Get("Authorization"))
		case s == gatewaytest.Accepted:
			fmt.Fprintf(w, `{"code": "OK", "id": "%d"}`, taken.Add(1))
		default:
			fmt.Fprintf(w, `{"code": %q, "detail": "to %s: %s"}`, refusals[s], asked.To, asked.Text)
		}
	})
}
