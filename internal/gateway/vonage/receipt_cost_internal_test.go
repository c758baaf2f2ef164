package vonage

import "testing"

func TestMicros(t *testing.T) {
	t.Parallel()
	for price, want := range map[string]int64{
		"0": 0, "0.0333": 33300, "0.00750000": 7500, "12": 12_000_000, "0.000001": 1, "0.0000004999": 0, "0.0000005": 1, "0.1": 100_000,
		"0.29": 290_000, "1.005": 1_005_000, "999999999.999999": 999_999_999_999_999, // what a float64 would have put a hair below
	} {
		if got, ok := micros(price); !ok || got != want {
			t.Errorf("%s: %d, %v; want %d", price, got, ok, want)
		}
	}
	for _, price := range []string{"", ".", ".5", "-1", "+1", "1e-2", "1,5", "1.2.3", "0x1", "NaN", "1000000000", "١"} {
		if got, ok := micros(price); ok {
			t.Errorf("%q: %d", price, got)
		}
	}
}
