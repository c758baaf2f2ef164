package gateway

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// breakerMetrics are those of one gateway's breaker. No label is a country: clients choose those.
type breakerMetrics struct {
	opened, closed [classes][scopes]prometheus.Counter
}

func newTransitions() *prometheus.CounterVec {
	return prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "smsd_gateway_breaker_transitions_total",
		Help: "How often messages were kept from a gateway (to=open) and let through again (closed), to one country or at all, by the class of failures.",
	}, []string{"gateway", "class", "scope", "to"})
}

func breakerMetricsOf(v *prometheus.CounterVec, gateway string) (m breakerMetrics) {
	for c := range classes {
		for s := range scopes {
			m.opened[c][s] = v.WithLabelValues(gateway, c.String(), s.String(), "open")
			m.closed[c][s] = v.WithLabelValues(gateway, c.String(), s.String(), "closed")
		}
	}
	return m
}

// gauges are what can be asked of b at any time.
func (b *breaker) gauges(gateway string) (all []prometheus.Collector) {
	for c := range classes {
		for _, g := range []struct {
			name, help string
			value      func(class) float64
		}{
			{"smsd_gateway_breaker_state", "0 messages go to the gateway, 1 the next one tries whether it is well again, 2 they are kept from it.", b.state},
			{"smsd_gateway_breaker_countries", "Countries whose messages are kept from the gateway, while it takes others.", b.shutCountries},
			{"smsd_gateway_ailing", "1 while the gateway fails where it is known to have worked, or has not yet worked at all and fails.", b.ailing},
		} {
			all = append(all, prometheus.NewGaugeFunc(prometheus.GaugeOpts{
				Name: g.name, Help: g.help, ConstLabels: prometheus.Labels{"gateway": gateway, "class": c.String()},
			}, func() float64 { return g.value(c) }))
		}
	}
	return all
}

func (b *breaker) state(c class) float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return float64(b.whole[c].state(time.Now()))
}

func (b *breaker) shutCountries(c class) (n float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, at := range b.countries {
		if at.circuits[c].open() {
			n++
		}
	}
	return n
}

// gauges are those of l's breaker, if it has one.
func (l *line) gauges() []prometheus.Collector {
	if l.breaker == nil {
		return nil
	}
	return l.breaker.gauges(l.name)
}
