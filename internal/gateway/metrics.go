package gateway

import "github.com/prometheus/client_golang/prometheus"

// metrics are the router's. Labels are names of gateways and reasons only, so there are few of them.
type metrics struct {
	outcomes  *prometheus.CounterVec
	failovers *prometheus.CounterVec
	skipped   *prometheus.CounterVec
	late      *prometheus.CounterVec
	// transitions are those of the breakers.
	transitions *prometheus.CounterVec
	seconds     *prometheus.HistogramVec
}

// lineMetrics are those of one gateway, looked up once.
type lineMetrics struct {
	accepted prometheus.Counter
	failed   map[Reason]prometheus.Counter
	skipped  [skippings]prometheus.Counter
	late     prometheus.Counter
	seconds  prometheus.Observer
}

// skipping is why a gateway of the route was not asked.
type skipping uint8

const (
	byBreaker skipping = iota // it has failed
	byCalls                   // too many calls are running
	byPace                    // it has its messages for now
	byLimit                   // its carrier has just refused the number, by its own limit
	skippings
)

func (s skipping) String() string { return [skippings]string{"breaker", "calls", "pace", "limit"}[s] }

// newMetrics registers with r, if there is one.
func newMetrics(r prometheus.Registerer) (*metrics, error) {
	m := &metrics{
		outcomes: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_gateway_outcomes_total",
			Help: "Tries to hand a message to a gateway, by gateway and reason: accepted, or why not.",
		}, []string{"gateway", "reason"}),
		failovers: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_gateway_failovers_total",
			Help: "Messages that a gateway did not take and another one was then tried with, by the first and why.",
		}, []string{"gateway", "reason"}),
		skipped: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_gateway_skipped_total",
			Help: "Messages that a gateway of their route was not asked to take, by why: breaker (it has failed), calls (too many are running), pace (its rate), limit (its carrier has just refused the number).",
		}, []string{"gateway", "why"}),
		late: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_gateway_late_total",
			Help: "Messages that a gateway took after they had been given up: their clients were told that nobody knows. Drivers end their calls in time: with many, the machine is too busy, or one disregards its deadline.",
		}, []string{"gateway"}),
		transitions: newTransitions(),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "smsd_gateway_seconds",
			Help: "How long a gateway took to answer, or to be given up.",
			// From a carrier next door to the try's time-out of 5 s.
			Buckets: []float64{.01, .025, .05, .1, .25, .5, 1, 2, 3, 4, 5},
		}, []string{"gateway"}),
	}
	return m, register(r, m.outcomes, m.failovers, m.skipped, m.late, m.transitions, m.seconds)
}

// register registers all with r, if there is one.
func register(r prometheus.Registerer, all ...prometheus.Collector) error {
	if r == nil {
		return nil
	}
	for _, c := range all {
		if err := r.Register(c); err != nil {
			return err
		}
	}
	return nil
}

// failover counts a message that goes on from where it failed.
func (m *metrics) failover(from *Error) {
	m.failovers.WithLabelValues(from.Gateway, string(from.Reason)).Inc()
}

// of returns those of one gateway. Every series stands at 0 from then on: a rate over a series that
// appears with its first failure misses that failure.
func (m *metrics) of(gateway string) *lineMetrics {
	l := &lineMetrics{
		accepted: m.outcomes.WithLabelValues(gateway, "accepted"),
		failed:   make(map[Reason]prometheus.Counter),
		late:     m.late.WithLabelValues(gateway),
		seconds:  m.seconds.WithLabelValues(gateway),
	}
	for why := range skippings {
		l.skipped[why] = m.skipped.WithLabelValues(gateway, why.String())
	}
	for _, reason := range Reasons() {
		l.failed[reason] = m.outcomes.WithLabelValues(gateway, string(reason))
		if (&Error{Reason: reason, Sent: NotSent}).checked().elsewhere() {
			m.failovers.WithLabelValues(gateway, string(reason))
		}
	}
	return l
}
