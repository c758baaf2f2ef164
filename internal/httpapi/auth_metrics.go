package httpapi

import (
	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/apikey"
)

// What became of finding out who calls, beside the reasons of [apikey.Refusal].
const (
	outcomeOK         = "ok"
	outcomeMissing    = "missing"     // no key where one is required
	outcomeLimited    = "limited"     // of an address that went on with keys that nobody has
	outcomeNotLoaded  = "not_loaded"  // the keys have not been read yet
	outcomeOrigin     = "origin"      // a publishable key in another place than it is for
	outcomeLeaked     = "leaked"      // a secret key in a browser
	outcomeSecretOnly = "secret_only" // a call that is for servers
)

// kindUnknown is the label of requests that identify nobody.
const kindUnknown = "unknown"

// callerMetrics counts requests by their key. Every label is from a closed list, and none names a key.
type callerMetrics struct {
	*memo[callerLabels, prometheus.Counter]
}

type callerLabels struct{ kind, outcome string }

// newCallerMetrics registers with r; nil: nobody looks.
func newCallerMetrics(r prometheus.Registerer) (*callerMetrics, error) {
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "smsd_http_callers_total",
		Help: "Requests to calls that ask who calls, by the kind of their key and what became of finding out.",
	}, []string{"kind", "outcome"})
	m := &callerMetrics{newMemo(func(l callerLabels) prometheus.Counter { return requests.WithLabelValues(l.kind, l.outcome) })}
	return m, register(r, requests)
}

func (m *callerMetrics) count(kind apikey.Kind, outcome string) {
	m.of(callerLabels{kind.Word(), outcome}).Inc()
}

func (m *callerMetrics) unknown(outcome string) {
	m.of(callerLabels{kindUnknown, outcome}).Inc()
}
