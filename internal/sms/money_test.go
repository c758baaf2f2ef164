package sms_test

import (
	"testing"

	"smsd/internal/sms"
)

func TestMoneyIsExact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]sms.Money{
		"0.0083 USD":         {Micros: 8_300, Currency: "USD"},
		"0.045 CNY":          {Micros: 45_000, Currency: "CNY"},
		"0.000001 EUR":       {Micros: 1, Currency: "EUR"},
		"0.1 EUR":            {Micros: 100_000, Currency: "EUR"}, // no float is
		"0.57 EUR":           {Micros: 570_000, Currency: "EUR"}, // 0.57*1e6 as a float is below
		"800 VND":            {Micros: 800_000_000, Currency: "VND"},
		"0 USD":              {Micros: 0, Currency: "USD"},
		"1000000 IRR":        {Micros: 1_000_000_000_000, Currency: "IRR"},
		"1000000.000000 IRR": {Micros: 1_000_000_000_000, Currency: "IRR"},
	} {
		m, err := sms.ParseMoney(text)
		if err != nil || m != want {
			t.Errorf("%s: %+v, %v", text, m, err)
		}
		if again, err := sms.ParseMoney(m.String()); err != nil || again != m {
			t.Errorf("%s: written as %q, which is read as %+v, %v", text, m, again, err)
		}
	}
	for _, text := range []string{
		"", "USD", "0.0083", "0.0083USD", "0.0083  USD", "USD 0.0083", "0,0083 USD", ".5 USD", "5. USD", "00.5 USD", "-0.5 USD", "+0.5 USD", "1e3 USD",
		"0.0000001 USD", "0.5 usd", "0.5 US", "0.5 USDT", "0.5 $", "0.5 XXX", "1000000.000001 USD", "1000001 USD", "99999999999999999999 USD", "٠.٥ USD", "0.5 USD\n",
	} {
		if m, err := sms.ParseMoney(text); err == nil {
			t.Errorf("%q is read as %+v", text, m)
		}
	}
	if (sms.Money{}).String() != "" || !(sms.Money{}).IsZero() || (sms.Money{Currency: "USD"}).IsZero() {
		t.Error("an amount of nothing is known, the zero one is not")
	}
	if got := (sms.Money{Micros: 8_300, Currency: "USD"}).Times(3).String(); got != "0.0249 USD" {
		t.Errorf("three segments: %s", got)
	}
}
