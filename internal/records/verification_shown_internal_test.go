package records

import "testing"

// The carrier's figures stand in the place of ours, but for the cost of several messages, of which a bill knows one.
func TestShownFigures(t *testing.T) {
	t.Parallel()
	ours := Fate{Segments: 1, CostMicros: 45_000, Currency: "CNY"}
	bill := Bill{Segments: 2, CostMicros: 90_000, Currency: "USD"}
	for name, c := range map[string]struct {
		ours    Fate
		billed  Bill
		resends int
		want    Fate
	}{
		"no bill":                   {ours, Bill{}, 0, ours},
		"a bill":                    {ours, bill, 0, Fate{Segments: 2, CostMicros: 90_000, Currency: "USD"}},
		"a bill without a cost":     {ours, Bill{Segments: 2}, 0, Fate{Segments: 2, CostMicros: 45_000, Currency: "CNY"}},
		"a bill of one of two":      {ours, bill, 1, Fate{Segments: 2, CostMicros: 45_000, Currency: "CNY"}},
		"of two, without a price":   {Fate{Segments: 1}, bill, 1, Fate{Segments: 2, CostMicros: 90_000, Currency: "USD"}},
		"of two, in two currencies": {Fate{Segments: 1, Currency: MixedCurrency}, bill, 1, Fate{Segments: 2, Currency: MixedCurrency}},
	} {
		f := c.ours
		f.Billed, f.Resends = c.billed, c.resends
		got := f.shown()
		got.Billed, got.Resends = Bill{}, 0
		if got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
