package carrier_test

import (
	"testing"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

func TestClass(t *testing.T) {
	t.Parallel()
	for status, want := range map[int]gateway.Reason{
		400: gateway.Temporary, 401: gateway.Configuration, 402: gateway.Configuration, 403: gateway.Configuration,
		404: gateway.Configuration, 405: gateway.Temporary, 409: gateway.Temporary, 422: gateway.Temporary, 429: gateway.Temporary,
	} {
		if a := (carrier.Answer{Status: status}); a.Class() != want || !a.Refuses() {
			t.Errorf("%d: %s, refuses %v", status, a.Class(), a.Refuses())
		}
	}
	for _, status := range []int{200, 201, 202, 500, 503} {
		if (carrier.Answer{Status: status}).Refuses() {
			t.Errorf("%d refuses", status)
		}
	}
}
