package redisstore

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

// metrics watches calls and the pool. The zero metrics watches nothing.
type metrics struct {
	calls      *prometheus.HistogramVec
	registerer prometheus.Registerer
	registered []prometheus.Collector
}

// buckets reach from a call on a local socket to just above the budget.
var buckets = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .2, .4, .8}

// newMetrics registers with r; nil: nothing.
func newMetrics(r prometheus.Registerer, servers *topology) (*metrics, error) {
	if r == nil {
		return &metrics{}, nil
	}
	m := &metrics{registerer: r, calls: prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "smsd_redis_call_seconds",
		Help:    "How long calls of Redis took, by script and outcome (ok, late, failed).",
		Buckets: buckets,
	}, []string{"operation", "outcome"})}
	for _, collector := range slices.Concat(poolMetrics(servers.fleet.poolStats), servers.fleet.traffic.collectors(), []prometheus.Collector{breakerMetric(servers), m.calls}) {
		if err := r.Register(collector); err != nil {
			m.unregister()
			return nil, fmt.Errorf("redis metrics: %w", err)
		}
		m.registered = append(m.registered, collector)
	}
	return m, nil
}

func poolMetrics(stats func() *redis.PoolStats) []prometheus.Collector {
	return []prometheus.Collector{
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "smsd_redis_connections", Help: "Open connections to Redis.",
		}, func() float64 { return float64(stats().TotalConns) }),
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "smsd_redis_idle_connections", Help: "Open connections to Redis that nobody uses.",
		}, func() float64 { return float64(stats().IdleConns) }),
		prometheus.NewCounterFunc(prometheus.CounterOpts{
			Name: "smsd_redis_pool_timeouts_total", Help: "Calls that got no connection to Redis in time.",
		}, func() float64 { return float64(stats().Timeouts) }),
	}
}

func breakerMetric(servers *topology) prometheus.Collector {
	return prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "smsd_redis_breaker_state",
		Help: "0 if calls go to Redis, 1 if the next one tries whether it answers again, 2 if they are stopped; of several servers, the worst.",
	}, func() float64 {
		worst := 0
		for _, n := range servers.layout().primaries {
			worst = max(worst, n.calls.breaker.state())
		}
		return float64(worst)
	})
}

func (m *metrics) unregister() {
	for _, collector := range m.registered {
		m.registerer.Unregister(collector)
	}
}

// called counts a call and what it took.
func (m *metrics) called(operation string, begun time.Time, err error) {
	if m.calls != nil {
		m.calls.WithLabelValues(operation, outcomeLabel(err)).Observe(time.Since(begun).Seconds())
	}
}

func outcomeLabel(err error) string {
	switch {
	case err == nil:
		return "ok"
	case errors.Is(err, errLate):
		return "late"
	}
	return "failed"
}
