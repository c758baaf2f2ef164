package policy

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// outcome is what became of one reading of the file; also the label of a metric.
type outcome string

const (
	applied   outcome = "applied"
	unchanged outcome = "unchanged" // read on request, and the same as what is in force
	refused   outcome = "refused"   // faulty or not readable
)

type metrics struct {
	reloads *prometheus.CounterVec
	loaded  prometheus.Gauge
	good    prometheus.Gauge
}

// newMetrics makes the metrics and, unless registerer is nil, registers them.
func newMetrics(registerer prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		reloads: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_policy_reloads_total",
			Help: "Readings of the policy file after the start, by outcome: applied, unchanged, refused.",
		}, []string{"outcome"}),
		loaded: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "smsd_policy_loaded_timestamp_seconds",
			Help: "When the policy in force was loaded, in Unix time.",
		}),
		good: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "smsd_policy_file_good",
			Help: "1 if the policy file as last read is the policy in force; 0 if it was refused and an older one is.",
		}),
	}
	for _, o := range []outcome{applied, unchanged, refused} {
		m.reloads.WithLabelValues(string(o)) // so that they are 0 and not absent
	}
	if registerer == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.reloads, m.loaded, m.good} {
		if err := registerer.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

func (m *metrics) count(o outcome) {
	m.reloads.WithLabelValues(string(o)).Inc()
	if o == refused {
		m.good.Set(0)
		return
	}
	m.good.Set(1)
}

func (m *metrics) loadedAt(t time.Time) {
	m.loaded.Set(float64(t.UnixMilli()) / 1000)
	m.good.Set(1)
}
