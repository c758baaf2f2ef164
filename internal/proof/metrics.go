package proof

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics count what became of tokens. The outcomes are a closed list: the reasons, and those below.
type metrics struct {
	consumed     *prometheus.CounterVec
	purged       prometheus.Counter
	purgesFailed prometheus.Counter
}

// The outcomes beside the reasons.
const (
	outcomeConsumed    = "consumed"
	outcomeRepeated    = "repeated"
	outcomeExpired     = "expired"
	outcomeUnavailable = "unavailable"
	outcomeFailed      = "failed"
)

func newMetrics(r prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		consumed: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_tokens_consumed_total",
			Help: "Calls that consume a token, by how they ended.",
		}, []string{"outcome"}),
		purged: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "smsd_tokens_purged_total",
			Help: "Consumed tokens that need not be remembered any longer, and were removed.",
		}),
		purgesFailed: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "smsd_tokens_failed_purges_total",
			Help: "Removals of consumed tokens that failed. They are tried again.",
		}),
	}
	for _, o := range []string{outcomeConsumed, outcomeRepeated, outcomeExpired, outcomeUnavailable, outcomeFailed} {
		m.consumed.WithLabelValues(o)
	}
	for reason := range hints {
		m.consumed.WithLabelValues(string(reason))
	}
	if r == nil {
		return m, nil
	}
	return m, errors.Join(r.Register(m.consumed), r.Register(m.purged), r.Register(m.purgesFailed))
}

func (m *metrics) count(err error) { m.consumed.WithLabelValues(outcomeOf(err)).Inc() }

func outcomeOf(err error) string {
	if refused, ok := errors.AsType[*InvalidError](err); ok {
		return string(refused.Reason)
	}
	switch {
	case err == nil:
		return outcomeConsumed
	case errors.Is(err, ErrConsumed):
		return outcomeRepeated
	case errors.Is(err, ErrExpired):
		return outcomeExpired
	case errors.Is(err, ErrUnavailable):
		return outcomeUnavailable
	}
	return outcomeFailed
}
