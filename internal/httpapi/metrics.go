package httpapi

import (
	"fmt"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics counts requests of one listener. Every label is from a closed list.
type metrics struct {
	requests *prometheus.CounterVec
	duration *prometheus.HistogramVec
}

// buckets reach from an answer out of memory to a gateway that uses its 8 s.
var buckets = []float64{.0005, .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10}

// newMetrics registers with r; nil: nobody looks.
func newMetrics(r prometheus.Registerer, listener string) (*metrics, error) {
	labels := prometheus.Labels{"listener": listener}
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "smsd_http_requests_total", Help: "Requests answered, by route template, method and status.", ConstLabels: labels,
		}, []string{"route", "method", "status"}),
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "smsd_http_request_duration_seconds", Help: "Time from a request's headers to the end of its answer.",
			ConstLabels: labels, Buckets: buckets,
		}, []string{"route", "method"}),
	}
	if r == nil {
		return m, nil
	}
	for _, c := range []prometheus.Collector{m.requests, m.duration} {
		if err := r.Register(c); err != nil {
			return nil, fmt.Errorf("httpapi: metrics: %w", err)
		}
	}
	return m, nil
}

func (m *metrics) observe(method, route string, status int, took time.Duration) {
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Inc()
	m.duration.WithLabelValues(route, method).Observe(took.Seconds())
}
