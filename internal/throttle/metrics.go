package throttle

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count decisions. Their labels are the names of rules, which the policy bounds, and closed lists.
type metrics struct {
	decisions *prometheus.CounterVec
	failures  *prometheus.CounterVec
	denied    *prometheus.CounterVec
	local     *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	local, err := localRefusals(r)
	if err != nil {
		return nil, err
	}
	m := &metrics{
		local: local,
		decisions: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_throttle_decisions_total",
			Help: "What each rule said to each event, whatever the other rules said.",
		}, []string{"rule", "mode", "outcome"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_throttle_failures_total",
			Help: "Calls of the counters' store that failed.",
		}, []string{"call"}),
		denied: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_throttle_deny_hits_total",
			Help: "Events refused from the deny cache, without asking the store, by the rule that refuses for longest.",
		}, []string{"rule"}),
	}
	if r == nil {
		return m, nil
	}
	return m, errors.Join(r.Register(m.decisions), r.Register(m.failures), r.Register(m.denied))
}

// localRefusals returns the counter that a [Limiter] and a [Local] of one registry share.
func localRefusals(r prometheus.Registerer) (*prometheus.CounterVec, error) {
	v := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "smsd_throttle_local_refusals_total",
		Help: "Events refused by the layers in front of the store.",
	}, []string{"layer", "event"})
	if r == nil {
		return v, nil
	}
	err := r.Register(v)
	if there, ok := errors.AsType[prometheus.AlreadyRegisteredError](err); ok {
		if shared, ok := there.ExistingCollector.(*prometheus.CounterVec); ok {
			return shared, nil
		}
	}
	return v, err
}

func (m *metrics) failed(call string) { m.failures.WithLabelValues(call).Inc() }

// cellCounters are the metrics of a group's rules, looked up once.
type cellCounters struct {
	owner            *metrics
	allowed, refused []prometheus.Counter
}

func (m *metrics) of(g *group) *cellCounters {
	if c := g.counters.Load(); c != nil && c.owner == m {
		return c
	}
	c := &cellCounters{owner: m}
	for i, r := range g.rules {
		mode := r.Mode.String()
		c.allowed = append(c.allowed, m.decisions.WithLabelValues(g.labels[i], mode, "allowed"))
		c.refused = append(c.refused, m.decisions.WithLabelValues(g.labels[i], mode, "refused"))
	}
	g.counters.Store(c)
	return c
}

// decided counts what every rule said.
func (m *metrics) decided(groups []*group, taken Taken) {
	eachVerdict(groups, taken.Verdicts, func(g *group, rule int, v Verdict) {
		if c := m.of(g); v.Refused {
			c.refused[rule].Inc()
		} else {
			c.allowed[rule].Inc()
		}
	})
}
