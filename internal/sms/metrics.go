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
	countries   *prometheus.CounterVec
	failedSteps *prometheus.CounterVec
	costs       *prometheus.CounterVec
	unpriced    *prometheus.CounterVec

	receipts        *prometheus.CounterVec
	unknownReceipts *prometheus.CounterVec
	deliverySeconds *prometheus.HistogramVec
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
		countries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_verifications_total",
			Help: "Verifications by the number's country: accepted, as their first message left, or may have, and verified, as their code was right. Those of test numbers are left out.",
		}, []string{"country", "state"}),
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
		receipts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_gateway_receipts_total",
			Help: "Receipts of carriers, by what they say of a message; one that is told twice counts twice.",
		}, []string{"gateway", "state"}),
		unknownReceipts: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_gateway_receipts_unknown_total",
			Help: "Receipts of messages of which nobody here knows whose they are, as of another system with the same account.",
		}, []string{"gateway"}),
		deliverySeconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "smsd_gateway_delivery_seconds",
			Help: "Time from the send to the phone, as receipts tell it; one that is told twice counts twice.",
			// From what a code needs to a carrier's two days, of which the life of a code is the beginning.
			Buckets: []float64{1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1800, 3600, 21600, 86400, 172800},
		}, []string{"gateway"}),
	}
	for _, step := range []string{stepRefund, stepDelete, stepExtend, stepGuess, stepRecord, stepToken} {
		m.failedSteps.WithLabelValues(step)
	}
	if r == nil {
		return m, nil
	}
	return m, errors.Join(r.Register(m.sends), r.Register(m.verifies), r.Register(m.countries), r.Register(m.failedSteps), r.Register(m.costs), r.Register(m.unpriced),
		r.Register(m.receipts), r.Register(m.unknownReceipts), r.Register(m.deliverySeconds))
}
