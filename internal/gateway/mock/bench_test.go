package mock_test

import (
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
)

// BenchmarkSend is a message on its way through the router into the inbox: what a send costs beside HTTP, the limits
// and the store.
func BenchmarkSend(b *testing.B) {
	router, err := gateway.NewRouter(gateway.RouterOptions{Gateways: []gateway.Gateway{{Name: "mock", Driver: mock.New(nil)}}})
	if err != nil {
		b.Fatal(err)
	}
	defer router.Close()
	m := message(alice)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := router.Send(b.Context(), gateway.Dispatch{Message: m}); err != nil {
			b.Fatal(err)
		}
	}
}
