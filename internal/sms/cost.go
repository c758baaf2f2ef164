package sms

import (
	"smsd/internal/gateway"
	"smsd/internal/records"
)

// noteCost notes what the message takes and costs as the named gateway was given it, which took it, or may have: what
// nobody can tell of is counted as spent, as its quota is. "" is a gateway that nobody knows of.
func (s *Service) noteCost(o *order, d gateway.Dispatch, name string) {
	prices := o.policy.Prices
	if s.records == nil && len(prices) == 0 {
		return
	}
	text := d.Message.Text
	if d.Wording != nil {
		text = d.Wording(name).Text
	}
	o.segments, _ = gateway.Segments(text.Reveal())
	if len(prices) == 0 {
		return
	}
	o.cost = prices.Of(name, o.number.Country()).Times(o.segments)
	s.metrics.spend(name, o.number.Country(), o.cost)
}

// spend counts a cost; the zero Money is that of a message without a price.
func (m *metrics) spend(gateway, country string, cost Money) {
	if cost.IsZero() {
		m.unpriced.WithLabelValues(gateway, country).Inc()
		return
	}
	m.costs.WithLabelValues(gateway, country, cost.Currency).Add(float64(cost.Micros))
}

// sent is what a message that left, or may have, adds to its row.
func (o *order) sent(delivery Delivery) records.Fate {
	return records.Fate{
		Gateway: o.gateway, Delivery: string(delivery), Segments: o.segments, CostMicros: o.cost.Micros, Currency: o.cost.Currency,
	}
}
