package gateway_test

import (
	"testing"

	"smsd/internal/gateway"
)

func BenchmarkRouter(b *testing.B) { benchmarkRouter(b, gateway.Gateway{}) }

// What a breaker and a pace cost a message that is well: compare [BenchmarkRouter].
func BenchmarkRouterWithBreaker(b *testing.B) {
	benchmarkRouter(b, gateway.Gateway{Breaker: true, Rate: 1e9})
}

// benchmarkRouter sends to a gateway set up as g, which takes every message at once.
func benchmarkRouter(b *testing.B, g gateway.Gateway) {
	g.Name, g.Driver = "g1", accepts()
	r, err := gateway.NewRouter(gateway.RouterOptions{Gateways: []gateway.Gateway{g}})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	m := message()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Send(b.Context(), gateway.Dispatch{Message: m}); err != nil {
			b.Fatal(err)
		}
	}
}
