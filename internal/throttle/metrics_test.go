package throttle_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

func TestDecisionMetrics(t *testing.T) {
	t.Parallel()
	r := prometheus.NewPedanticRegistry()
	l, err := throttle.New(throttle.Options{Store: memstore.NewCounters(memstore.Options{MaxKeys: 2}), IndexSecret: secret, Registerer: r})
	if err != nil {
		t.Fatal(err)
	}
	phone := []throttle.Kind{throttle.Phone}
	rules := compile(t, []throttle.Rule{
		{Name: "phone-hour", By: phone, Limit: 9, Window: time.Hour},
		{Name: "tight", By: phone, Limit: 1, Window: time.Hour, Mode: throttle.Shadow},
		{Name: "cooldown", By: phone, Scene: "login", Limit: 2, Window: time.Hour},
	}, "login")
	for range 3 {
		_, _ = l.Reserve(t.Context(), throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")})
	}
	_, _ = l.Reserve(t.Context(), throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(nobody, "192.0.2.1")})
	_, _ = l.Reserve(t.Context(), throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf("+1", "192.0.2.1")}) // full
	err = testutil.GatherAndCompare(r, strings.NewReader(`
# HELP smsd_throttle_decisions_total What each rule said to each event, whatever the other rules said.
# TYPE smsd_throttle_decisions_total counter
smsd_throttle_decisions_total{mode="enforce",outcome="allowed",rule="login/cooldown"} 3
smsd_throttle_decisions_total{mode="enforce",outcome="refused",rule="login/cooldown"} 1
smsd_throttle_decisions_total{mode="enforce",outcome="allowed",rule="phone-hour"} 4
smsd_throttle_decisions_total{mode="enforce",outcome="refused",rule="phone-hour"} 0
smsd_throttle_decisions_total{mode="shadow",outcome="allowed",rule="tight"} 2
smsd_throttle_decisions_total{mode="shadow",outcome="refused",rule="tight"} 2
# HELP smsd_throttle_failures_total Calls of the counters' store that failed.
# TYPE smsd_throttle_failures_total counter
smsd_throttle_failures_total{call="take"} 1
`))
	if err != nil {
		t.Error(err)
	}
}

func TestLocalMetrics(t *testing.T) {
	t.Parallel()
	r := prometheus.NewPedanticRegistry()
	g := newGate(t, throttle.LocalOptions{Rate: 1, Burst: 3, IPRate: 1, IPBurst: 2, Registerer: r})
	g.pass(5, throttle.Send, addr(t, "192.0.2.1"))
	g.pass(5, throttle.Send, addr(t, "192.0.2.2"))
	g.pass(3, throttle.Verify, addr(t, "192.0.2.1"))
	err := testutil.GatherAndCompare(r, strings.NewReader(`
# HELP smsd_throttle_local_refusals_total Events refused by the layers in front of the store.
# TYPE smsd_throttle_local_refusals_total counter
smsd_throttle_local_refusals_total{event="send",layer="local-address"} 3
smsd_throttle_local_refusals_total{event="send",layer="local-process"} 4
smsd_throttle_local_refusals_total{event="verify",layer="local-address"} 1
`))
	if err != nil {
		t.Error(err)
	}
}

// A refund that fails leaves somebody charged for nothing: an operator must see it.
func TestFailedRefundsAreCounted(t *testing.T) {
	t.Parallel()
	r := prometheus.NewPedanticRegistry()
	l, err := throttle.New(throttle.Options{Store: memstore.NewCounters(memstore.Options{}), IndexSecret: secret, Registerer: r})
	if err != nil {
		t.Fatal(err)
	}
	rules := compile(t, []throttle.Rule{{Name: "phone-hour", By: []throttle.Kind{throttle.Phone}, Limit: 9, Window: time.Hour}}, "login")
	late, cancel := context.WithCancel(t.Context())
	cancel()
	for _, ctx := range []context.Context{t.Context(), late} {
		taken, err := l.Reserve(t.Context(), throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")})
		if err != nil {
			t.Fatal(err)
		}
		if err := taken.Refund(ctx); (err != nil) != (ctx == late) {
			t.Error(err)
		}
	}
	err = testutil.GatherAndCompare(r, strings.NewReader(`
# HELP smsd_throttle_failures_total Calls of the counters' store that failed.
# TYPE smsd_throttle_failures_total counter
smsd_throttle_failures_total{call="refund"} 1
`), "smsd_throttle_failures_total")
	if err != nil {
		t.Error(err)
	}
}

// Two of one registry would count into each other.
func TestMetricsAreRegisteredOnce(t *testing.T) {
	t.Parallel()
	r := prometheus.NewRegistry()
	store := memstore.NewCounters(memstore.Options{})
	for i := range 2 {
		if _, err := throttle.New(throttle.Options{Store: store, IndexSecret: secret, Registerer: r}); (err != nil) != (i == 1) {
			t.Error(err)
		}
	}
}
