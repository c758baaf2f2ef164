package gateway_test

import (
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/gateway"
)

func TestEveryFaultOfTheOptionsAtOnce(t *testing.T) {
	t.Parallel()
	_, err := gateway.NewRouter(gateway.RouterOptions{
		Gateways: []gateway.Gateway{
			{Name: "Big", Driver: accepts()},
			{Name: "", Driver: accepts()},
			{Name: strings.Repeat("a", 33), Driver: accepts()},
			{Name: "twice", Driver: accepts()},
			{Name: "twice", Driver: accepts()},
			{Name: "empty"},
		},
		TryTimeout: -1,
	})
	if err == nil {
		t.Fatal("no error")
	}
	if got := strings.Split(err.Error(), "\n"); len(got) != 6 {
		t.Fatalf("want six faults:\n%s", err)
	}
	if _, err := gateway.NewRouter(gateway.RouterOptions{}); err == nil {
		t.Fatal("a router without routes")
	}
}

func TestBudget(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ try, total, want time.Duration }{
		{0, 0, 8 * time.Second},
		{20 * time.Second, 0, 20 * time.Second},
		{time.Second, 3 * time.Second, 3 * time.Second},
	} {
		r := newRouter(t, gateway.RouterOptions{TryTimeout: c.try, TotalTimeout: c.total}, accepts())
		if r.Budget() != c.want {
			t.Errorf("%s, %s: %s", c.try, c.total, r.Budget())
		}
	}
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	r := newRouter(t, gateway.RouterOptions{Registerer: registry},
		answers(gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent}),
		answers(gateway.Accepted{}, &gateway.Error{Reason: "weather"}))
	for range 3 {
		_, _ = r.Send(t.Context(), gateway.Dispatch{Message: message()})
	}
	const want = `
# HELP smsd_gateway_outcomes_total Tries to hand a message to a gateway, by gateway and reason: accepted, or why not.
# TYPE smsd_gateway_outcomes_total counter
smsd_gateway_outcomes_total{gateway="g1",reason="accepted"} 0
smsd_gateway_outcomes_total{gateway="g1",reason="ambiguous"} 0
smsd_gateway_outcomes_total{gateway="g1",reason="bad_number"} 0
smsd_gateway_outcomes_total{gateway="g1",reason="configuration"} 0
smsd_gateway_outcomes_total{gateway="g1",reason="content"} 0
smsd_gateway_outcomes_total{gateway="g1",reason="no_route"} 0
smsd_gateway_outcomes_total{gateway="g1",reason="temporary"} 3
smsd_gateway_outcomes_total{gateway="g1",reason="throttled"} 0
smsd_gateway_outcomes_total{gateway="g2",reason="accepted"} 0
smsd_gateway_outcomes_total{gateway="g2",reason="ambiguous"} 3
smsd_gateway_outcomes_total{gateway="g2",reason="bad_number"} 0
smsd_gateway_outcomes_total{gateway="g2",reason="configuration"} 0
smsd_gateway_outcomes_total{gateway="g2",reason="content"} 0
smsd_gateway_outcomes_total{gateway="g2",reason="no_route"} 0
smsd_gateway_outcomes_total{gateway="g2",reason="temporary"} 0
smsd_gateway_outcomes_total{gateway="g2",reason="throttled"} 0
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "smsd_gateway_outcomes_total"); err != nil {
		t.Error(err)
	}
	if n, err := testutil.GatherAndCount(registry, "smsd_gateway_seconds"); err != nil || n != 2 {
		t.Errorf("%d latency series, %v", n, err)
	}
	_, err := gateway.NewRouter(gateway.RouterOptions{
		Gateways:   []gateway.Gateway{{Name: "g1", Driver: accepts()}},
		Registerer: registry,
	})
	if err == nil {
		t.Error("a second router on the same registry, whose metrics nobody would see")
	}
}
