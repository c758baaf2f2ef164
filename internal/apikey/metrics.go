package apikey

import (
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	keys     *prometheus.GaugeVec
	up       prometheus.Gauge
	failures *prometheus.CounterVec
}

// newMetrics registers with r; nil: nobody looks.
func newMetrics(r prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		keys: prometheus.NewGaugeVec(prometheus.GaugeOpts{
			Name: "smsd_apikeys", Help: "API keys that were live when they were last read, by kind.",
		}, []string{"kind"}),
		up: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "smsd_apikeys_up", Help: "1 if the API keys' store answered when it was last asked for changes, else 0.",
		}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_apikeys_failures_total", Help: "Calls of the API keys' store that failed: look for changes, write last uses down (touch), or remove those that ended long ago (purge).",
		}, []string{"step"}),
	}
	if r == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.keys, m.up, m.failures} {
		if err := r.Register(c); err != nil {
			return nil, fmt.Errorf("apikey: metrics: %w", err)
		}
	}
	return m, nil
}

// hold tells what was read.
func (m *metrics) hold(t *table, now time.Time) {
	live := map[Kind]int{Publishable: 0, Secret: 0}
	for _, e := range t.byID {
		if e.State(now) == StateLive {
			live[e.Kind]++
		}
	}
	for kind, n := range live {
		m.keys.WithLabelValues(kind.Word()).Set(float64(n))
	}
	m.up.Set(1)
}

func (m *metrics) look(err error) {
	if err == nil {
		m.up.Set(1)
		return
	}
	m.up.Set(0)
	m.failures.WithLabelValues("look").Inc()
}
