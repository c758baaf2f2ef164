package sms_test

import (
	"maps"
	"testing"

	"smsd/internal/phone"
	"smsd/internal/sms"
)

func named(names ...string) map[string]bool {
	m := map[string]bool{}
	for _, n := range names {
		m[n] = true
	}
	return m
}

func money(t *testing.T, text string) sms.Money {
	t.Helper()
	m, err := sms.ParseMoney(text)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// priceList has a special case first, and a price of everything else at one gateway last.
func priceList(t *testing.T) sms.Prices {
	return sms.Prices{
		{Gateways: named("west"), Countries: named("US", "CA"), Segment: money(t, "0.0083 USD")},
		{Gateways: named("west"), Countries: named("DE"), Segment: money(t, "0.1 EUR")},
		{Gateways: named("west"), Countries: named("DE"), Segment: money(t, "5 EUR")}, // never: the one before has Germany
		{Countries: named("CN"), Segment: money(t, "0.045 CNY")},
		{Gateways: named("west", "spare"), Segment: money(t, "0.2 USD")},
		{Gateways: named("west"), Countries: named("FR"), Segment: money(t, "9 USD")}, // never: the one before is for every country
	}
}

func TestTheFirstPriceThatFitsCounts(t *testing.T) {
	t.Parallel()
	prices := priceList(t)
	for _, c := range []struct{ gateway, country, want string }{
		{"west", "US", "0.0083 USD"}, {"west", "DE", "0.1 EUR"}, {"west", "CN", "0.045 CNY"}, {"west", "FR", "0.2 USD"},
		{"west", phone.World, "0.2 USD"}, {"spare", "US", "0.2 USD"}, {"spare", "CN", "0.045 CNY"}, {"spare", "", "0.2 USD"},
		{"other", "CN", "0.045 CNY"}, {"other", "US", ""}, {"", "CN", "0.045 CNY"}, {"", "US", ""},
	} {
		if got := prices.Of(c.gateway, c.country); got.String() != c.want {
			t.Errorf("%s to %s: %q, want %q", c.gateway, c.country, got, c.want)
		}
	}
	if got := (sms.Prices)(nil).Of("west", "US"); !got.IsZero() {
		t.Errorf("without prices: %v", got)
	}
}

func TestTheDearestPrice(t *testing.T) {
	t.Parallel()
	prices := priceList(t)
	all := sms.Countries{All: true}
	for name, c := range map[string]struct {
		gateway string
		among   sms.Countries
		want    []string
	}{
		"everywhere":                {"west", all, []string{"0.2 USD", "0.1 EUR", "0.045 CNY"}},
		"in one country":            {"west", sms.Countries{Named: named("US")}, []string{"0.0083 USD"}},
		"in two":                    {"west", sms.Countries{Named: named("US", "FR")}, []string{"0.2 USD"}},
		"what all have is hidden":   {"west", sms.Countries{Named: named("US", "DE")}, []string{"0.0083 USD", "0.1 EUR"}},
		"at a spare gateway":        {"spare", all, []string{"0.2 USD", "0.045 CNY"}},
		"at a gateway without one":  {"other", all, []string{"0.045 CNY"}},
		"where nothing is known":    {"other", sms.Countries{Named: named("US")}, nil},
		"numbers of no country":     {"spare", sms.Countries{Named: named(phone.World)}, []string{"0.2 USD"}},
		"whoever takes it, to them": {"", all, []string{"0.045 CNY"}},
	} {
		want := map[string]sms.Money{}
		for _, text := range c.want {
			m := money(t, text)
			want[m.Currency] = m
		}
		if got := prices.Dearest(c.gateway, c.among); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
}

// No country has a price above the dearest, and one has it.
func TestTheDearestIsThatOfSomeCountry(t *testing.T) {
	t.Parallel()
	prices := priceList(t)
	countries := named("US", "CA", "DE", "CN", "FR", phone.World)
	for _, gateway := range []string{"west", "spare", "other", ""} {
		want := map[string]sms.Money{}
		for country := range countries {
			if m := prices.Of(gateway, country); !m.IsZero() && (want[m.Currency].IsZero() || m.Micros > want[m.Currency].Micros) {
				want[m.Currency] = m
			}
		}
		if got := prices.Dearest(gateway, sms.Countries{Named: countries}); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", gateway, got, want)
		}
	}
}
