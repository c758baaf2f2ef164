package gatewaytest

import (
	"bytes"
	"log/slog"
	"net/http/httptest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"smsd/internal/gateway"
)

// routed returns the trials that end by themselves once more, behind a router.
func routed(all []trial) []trial {
	var found []trial
	for _, tr := range all {
		if tr.brief {
			found = append(found, trial{name: tr.name + ", behind a router", scenario: tr.scenario, optional: tr.optional, check: tellsNothing})
		}
	}
	return found
}

// tellsNothing: as the service uses it, behind the router and with a log and metrics, the driver tells nobody what is hidden.
func tellsNothing(b *bench) []string {
	registry := prometheus.NewRegistry()
	router, err := gateway.NewRouter(gateway.RouterOptions{
		Gateways: []gateway.Gateway{{Name: "suite", Driver: b.driver}}, TryTimeout: 2 * patience, Registerer: registry,
	})
	if err != nil {
		return []string{"there is no router for the driver"}
	}
	defer router.Close()
	var log bytes.Buffer
	accepted, err := router.Send(b.t.Context(), gateway.Dispatch{Message: b.message})
	for _, handler := range []slog.Handler{slog.NewTextHandler(&log, nil), slog.NewJSONHandler(&log, nil)} {
		slog.New(handler).Warn("sent", "error", err, "accepted", accepted)
	}
	metrics := httptest.NewRecorder()
	promhttp.HandlerFor(registry, promhttp.HandlerOpts{}).ServeHTTP(metrics, httptest.NewRequest("GET", "/metrics", nil))
	found := leaking(err, b.message, b.harness.Secrets)
	for place, text := range map[string]string{"a line of the log": log.String(), "a metric": metrics.Body.String()} {
		if leaks(text, b.message, b.harness.Secrets) {
			found = append(found, place+" holds a number, a code, a text or a credential")
		}
	}
	return found
}
