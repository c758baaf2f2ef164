package httpapi

import (
	"fmt"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics counts requests of one listener. Every label is from a closed list.
type metrics struct {
	*memo[answered, series]
}

// answered is what requests are told apart by.
type answered struct {
	route, method string
	status        int
}

// series are what a request is counted in.
type series struct {
	requests prometheus.Counter
	duration prometheus.Observer
}

// buckets reach from an answer out of memory to a gateway that uses its 8 s.
var buckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// newMetrics registers with r; nil: nobody looks.
func newMetrics(r prometheus.Registerer, listener string) (*metrics, error) {
	labels := prometheus.Labels{"listener": listener}
	requests := prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "smsd_http_requests_total", Help: "Requests answered, by route template, method and status.", ConstLabels: labels,
	}, []string{"route", "method", "status"})
	duration := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "smsd_http_request_duration_seconds", Help: "Time from a request's headers to the end of its answer.",
		ConstLabels: labels, Buckets: buckets,
	}, []string{"route", "method"})
	m := &metrics{newMemo(func(a answered) series {
		return series{requests.WithLabelValues(a.route, a.method, strconv.Itoa(a.status)), duration.WithLabelValues(a.route, a.method)}
	})}
	return m, register(r, requests, duration)
}

// register has r take all; nil: nobody looks.
func register(r prometheus.Registerer, all ...prometheus.Collector) error {
	if r == nil {
		return nil
	}
	for _, c := range all {
		if err := r.Register(c); err != nil {
			return fmt.Errorf("httpapi: metrics: %w", err)
		}
	}
	return nil
}

func (m *metrics) observe(method, route string, status int, took time.Duration) {
	counted := m.of(answered{route, method, status})
	counted.requests.Inc()
	counted.duration.Observe(took.Seconds())
}
