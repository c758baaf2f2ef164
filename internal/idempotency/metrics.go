package idempotency

import (
	"context"
	"errors"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/requestid"
)

// The outcomes of requests with a key.
const (
	outcomeNew         = "new"
	outcomeReplayed    = "replayed"
	outcomeInProgress  = "in_progress"
	outcomeMismatch    = "mismatch"
	outcomeUnknown     = "outcome_unknown"
	outcomeUnavailable = "unavailable"
)

// The steps whose failure is counted and changes no answer.
const (
	stepForget = "forget"
	stepFinish = "finish"
	stepPurge  = "purge"
)

// metrics count how requests with a key ended. Every label is from a closed list.
type metrics struct {
	requests *prometheus.CounterVec
	failures *prometheus.CounterVec
	purged   prometheus.Counter
}

// count makes the metrics and registers them with r; nil: nobody looks.
func (l *Ledger) count(r prometheus.Registerer) error {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_idempotency_requests_total",
			Help: "Requests with an Idempotency-Key, by what became of them: new ones were executed, whatever the answer.",
		}, []string{"outcome"}),
		failures: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_idempotency_failed_steps_total",
			Help: "Answers not stored, entries not forgotten and purges that failed. None changes an answer.",
		}, []string{"step"}),
		purged: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "smsd_idempotency_purged_total",
			Help: "Expired entries removed.",
		}),
	}
	for _, outcome := range []string{outcomeNew, outcomeReplayed, outcomeInProgress, outcomeMismatch, outcomeUnknown, outcomeUnavailable} {
		m.requests.WithLabelValues(outcome)
	}
	for _, step := range []string{stepForget, stepFinish, stepPurge} {
		m.failures.WithLabelValues(step)
	}
	l.metrics = m
	if r == nil {
		return nil
	}
	return errors.Join(r.Register(m.requests), r.Register(m.failures), r.Register(m.purged))
}

// ended counts a request that was not executed. What the gate refused is the gate's to count.
func (m *metrics) ended(answer Answer, err error) {
	for _, known := range []struct {
		err     error
		outcome string
	}{
		{ErrInProgress, outcomeInProgress}, {ErrMismatch, outcomeMismatch},
		{ErrOutcomeUnknown, outcomeUnknown}, {ErrUnavailable, outcomeUnavailable},
	} {
		if errors.Is(err, known.err) {
			m.requests.WithLabelValues(known.outcome).Inc()
			return
		}
	}
	if err == nil && answer.Replayed {
		m.requests.WithLabelValues(outcomeReplayed).Inc()
	}
}

// executed counts a request that was.
func (m *metrics) executed(err error) {
	if errors.Is(err, ErrUnavailable) {
		m.requests.WithLabelValues(outcomeUnavailable).Inc()
		return
	}
	m.requests.WithLabelValues(outcomeNew).Inc()
}

func (l *Ledger) failed(ctx context.Context, step string, err error) {
	l.metrics.failures.WithLabelValues(step).Inc()
	l.logger.LogAttrs(ctx, slog.LevelWarn, "idempotency: a step failed", slog.String("request_id", requestid.From(ctx)),
		slog.String("step", step), slog.String("error", err.Error()))
}
