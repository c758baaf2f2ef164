package records_test

import (
	"testing"

	"smsd/internal/records"
)

func TestCostsAddUp(t *testing.T) {
	t.Parallel()
	type cost struct {
		micros   int64
		currency string
	}
	const mixed = records.MixedCurrency
	for _, c := range []struct{ a, b, want cost }{
		{cost{}, cost{}, cost{}},
		{cost{}, cost{5, "USD"}, cost{5, "USD"}},
		{cost{0, "USD"}, cost{5, "USD"}, cost{5, "USD"}},
		{cost{7, "USD"}, cost{5, "USD"}, cost{12, "USD"}},
		{cost{7, "USD"}, cost{5, "EUR"}, cost{0, mixed}},
		{cost{0, mixed}, cost{5, "EUR"}, cost{0, mixed}},
		{cost{0, mixed}, cost{0, mixed}, cost{0, mixed}},
		{cost{0, mixed}, cost{}, cost{0, mixed}},
	} {
		for _, pair := range [][2]cost{{c.a, c.b}, {c.b, c.a}} {
			micros, currency := records.AddCosts(pair[0].micros, pair[0].currency, pair[1].micros, pair[1].currency)
			if got := (cost{micros, currency}); got != c.want {
				t.Errorf("%v and %v: %v, want %v", pair[0], pair[1], got, c.want)
			}
		}
	}
}
