package redisstore

import (
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"
)

// traffic counts what the dispatchers of a client do. The nodes of a client share one.
type traffic struct {
	queued      atomic.Int64
	batches     prometheus.Histogram
	transitions *prometheus.CounterVec
}

func newTraffic() *traffic {
	return &traffic{batches: prometheus.NewHistogram(prometheus.HistogramOpts{
		Name:    "smsd_redis_batch_calls",
		Help:    "Calls that went to Redis together.",
		Buckets: []float64{1, 2, 4, 8, 16, 32, 64},
	}), transitions: prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "smsd_redis_breaker_transitions_total",
		Help: "How often calls of a Redis server were stopped since it did not answer (open), tried with one call (half_open) and let through again (closed).",
	}, []string{"to"})}
}

func (t *traffic) collectors() []prometheus.Collector {
	return []prometheus.Collector{t.batches, t.transitions, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
		Name: "smsd_redis_queued_calls", Help: "Calls that wait to go to Redis.",
	}, func() float64 { return float64(t.queued.Load()) })}
}
