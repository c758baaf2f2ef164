package webhook_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

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
	for name, malformed := range map[string]func(http.ResponseWriter, string){
		"a page":      func(w http.ResponseWriter, echo string) { fmt.Fprintf(w, "<html>%s", echo) },
		"half a text": func(w http.ResponseWriter, echo string) { fmt.Fprintf(w, `{"id": %q`, echo) },
		"cut short": func(w http.ResponseWriter, echo string) {
			w.Header().Set("Content-Length", "9999")
			fmt.Fprint(w, echo)
		},
		"too long":     func(w http.ResponseWriter, echo string) { fmt.Fprint(w, strings.Repeat(echo, 64<<10)) },
		"server error": func(w http.ResponseWriter, echo string) { http.Error(w, echo, 500) },
		"from a proxy": func(w http.ResponseWriter, echo string) { http.Error(w, echo, 502) },
		"a redirect": func(w http.ResponseWriter, echo string) {
			w.Header().Set("Location", "/?"+echo[:9])
			w.WriteHeader(302)
		},
		"contradiction": func(w http.ResponseWriter, echo string) {
			fmt.Fprintf(w, `{"reason": "bad_number", "detail": %q}`, echo)
		},
		"of the reason": func(w http.ResponseWriter, echo string) { w.WriteHeader(500); fmt.Fprintf(w, `{"reason": %q}`, echo) },
		"of the status": func(w http.ResponseWriter, _ string) { hijack(w, "HTTP/1.1 999999 493817\r\n\r\n") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			gatewaytest.Run(t, gatewaytest.Harness{
				Open: func(t *testing.T, v *gatewaytest.Vendor) gateway.Driver {
					server := httptest.NewServer(fake(t, v, malformed))
					t.Cleanup(server.Close)
					if v.Scenario == gatewaytest.Unreachable {
						server.Close()
					}
					return open(t, server.URL, vectorSecret)
				},
				Secrets: []string{vectorSecret, urlToken},
			})
		})
	}
}

// fake is a receiver that checks the signature and behaves as v says, echoing what it was sent.
func fake(t *testing.T, v *gatewaytest.Vendor, malformed func(http.ResponseWriter, string)) http.Handler {
	proof := receiver{key: vectorKey(t)}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if !proof.signed(r.Header, body) || r.Method != http.MethodPost || r.URL.Path != "/"+urlToken {
			t.Error("the request is not signed, or not what was asked for")
		}
		n := v.Reached()
		echo := fmt.Sprintf("url=%s %s", r.URL, body)
		switch v.Scenario {
		case gatewaytest.Accepted:
			fmt.Fprintf(w, `{"id": "id-%d"}`, n)
		case gatewaytest.LostBefore, gatewaytest.LostAfter:
			panic(http.ErrAbortHandler)
		case gatewaytest.Malformed:
			malformed(w, echo)
		case gatewaytest.Silent:
			select {
			case <-r.Context().Done():
			case <-v.Over():
			}
		default:
			refuse(w, v.Scenario, echo)
		}
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

// hijack answers with raw, as it stands.
func hijack(w http.ResponseWriter, raw string) {
	c, _, err := w.(http.Hijacker).Hijack()
	if err != nil {
		return
	}
	defer c.Close()
	_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	_, _ = io.Copy(c, bytes.NewReader([]byte(raw)))
}
