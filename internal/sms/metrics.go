package sms

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count how requests ended, and what messages cost. Scenes and currencies are the policy's, gateways the settings';
// countries, outcomes and steps are closed lists.
type metrics struct {
	sends       *prometheus.CounterVec
	verifies    *prometheus.CounterVec
	failedSteps *prometheus.CounterVec
	costs       *prometheus.CounterVec
	unpriced    *prometheus.CounterVec
}

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		sends: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_sends_total",
			Help: "Sends and resends, by how they ended.",
		}, []string{"action", "scene", "outcome"}),
		verifies: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_verifies_total",
			Help: "Verifies, by how they ended.",
		}, []string{"scene", "outcome"}),
		failedSteps: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_failed_steps_total",
			Help: "Refunds, deletions, moved expiries, counted guesses, records of verifies and tokens that failed. None takes back an answer.",
		}, []string{"step"}),
		costs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_cost_micros_total",
			Help: "What messages that left, or may have, cost by the policy's prices, in millionths of the currency.",
		}, []string{"gateway", "country", "currency"}),
		unpriced: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_unpriced_messages_total",
			Help: "Messages that left, or may have, for which none of the policy's prices is. None is counted of a policy without prices.",
		}, []string{"gateway", "country"}),
	}
	for _, step := range []string{stepRefund, stepDelete, stepExtend, stepGuess, stepRecord, stepToken} {
		m.failedSteps.WithLabelValues(step)
	}
	if r == nil {
		return m, nil
	}
	return m, errors.Join(r.Register(m.sends), r.Register(m.verifies), r.Register(m.failedSteps), r.Register(m.costs), r.Register(m.unpriced))
}
