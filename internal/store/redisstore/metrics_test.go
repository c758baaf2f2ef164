package redisstore

import (
	"context"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/testserver"
)

// counted returns how many calls the histogram saw, by operation and outcome.
func counted(t *testing.T, r *prometheus.Registry) map[[2]string]uint64 {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	calls := map[[2]string]uint64{}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if h := m.GetHistogram(); h != nil && len(m.GetLabel()) == 2 { // labels stand in the order of their names
				calls[[2]string{m.GetLabel()[0].GetValue(), m.GetLabel()[1].GetValue()}] = h.GetSampleCount()
			}
		}
	}
	return calls
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	registry := prometheus.NewRegistry()
	c := open(t, s.URL(), func(o *Options) { o.Registerer = registry })
	g := limited("p", 1, time.Hour)
	mustTake(t, c.Counters(), g)
	mustTake(t, c.Counters(), g) // a refusal is an answer like any other
	_, _ = c.Codes().Get(context.Background(), "none")
	s.Freeze()
	_, _ = c.Counters().Take(shortly(t), takeOf(g))
	s.Thaw()

	got := counted(t, registry)
	want := map[[2]string]uint64{{"take", "ok"}: 2, {"take", "failed"}: 1, {"code_get", "ok"}: 1}
	for labels, n := range want {
		if got[labels] != n {
			t.Errorf("%v: %d calls, want %d", labels, got[labels], n)
		}
	}
	if len(got) != len(want) {
		t.Errorf("got %v", got)
	}
	others := []string{"smsd_redis_connections", "smsd_redis_idle_connections", "smsd_redis_pool_timeouts_total",
		"smsd_redis_batch_calls", "smsd_redis_queued_calls", "smsd_redis_breaker_state"}
	if n, err := testutil.GatherAndCount(registry, others...); n != len(others) || err != nil {
		t.Errorf("%d other metrics, %v", n, err)
	}
	if faults, err := testutil.GatherAndLint(registry); len(faults) > 0 || err != nil {
		t.Errorf("%v, %v", faults, err)
	}
}

// Two clients need a label that tells them apart; a client that could not register, or has closed, leaves nothing.
func TestMetricsOfTwoClients(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	registry := prometheus.NewRegistry()
	with := func(r prometheus.Registerer) func(*Options) { return func(o *Options) { o.Registerer = r } }
	first := open(t, s.URL(), with(registry))
	refused(t, options(s.URL(), with(registry)))
	if err := first.Close(); err != nil {
		t.Error(err)
	}
	if n, _ := testutil.GatherAndCount(registry); n != 0 {
		t.Errorf("%d metrics are left", n)
	}
	registry = prometheus.NewRegistry() // the old one remembers names without the label
	for _, use := range []string{"codes", "counters"} {
		open(t, s.URL(), with(prometheus.WrapRegistererWith(prometheus.Labels{"use": use}, registry)))
	}
	if n, _ := testutil.GatherAndCount(registry); n != 12 {
		t.Errorf("%d metrics of two clients, want 12", n)
	}
}
