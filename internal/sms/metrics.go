package sms

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count how requests ended. Scenes are the policy's; outcomes and steps are closed lists.
type metrics struct {
	sends       *prometheus.CounterVec
	verifies    *prometheus.CounterVec
	failedSteps *prometheus.CounterVec
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
	}
	for _, step := range []string{stepRefund, stepDelete, stepExtend, stepGuess, stepRecord, stepToken} {
		m.failedSteps.WithLabelValues(step)
	}
	if r == nil {
		return m, nil
	}
	return m, errors.Join(r.Register(m.sends), r.Register(m.verifies), r.Register(m.failedSteps))
}
