package gateway_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
)

// An attacker who asks for numbers of a country that the account does not serve takes the gateway from nobody else.
func TestACountryThatIsNotEnabledIsItsOwnAffair(t *testing.T) {
	t.Parallel()
	for _, reason := range []gateway.Reason{gateway.Configuration, gateway.Temporary} {
		synctest.Test(t, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			only := newCarrier()
			only.says = func(number string) error {
				if number == britain {
					return refuses(reason)
				}
				return nil
			}
			r := broken(t, registry, only)
			if calls, err := only.asked(r, china); calls != 1 || err != nil {
				t.Fatal(err)
			}
			for range 1000 {
				_, _ = r.Send(t.Context(), to(britain))
				time.Sleep(50 * time.Millisecond)
			}
			if calls, err := only.asked(r, china); calls != 1 || err != nil {
				t.Errorf("%s: %d calls for another country, %v", reason, calls, err)
			}
			if n := only.calls.Load(); n > 30 {
				t.Errorf("%s: the gateway was asked %d times in 50 s", reason, n)
			}
			for _, class := range []string{"outage", "configuration"} {
				wantMetric(t, registry, `smsd_gateway_ailing{class="`+class+`",gateway="g1"}`, 0)
			}
		})
	}
}

// One number that makes a carrier speak of a configuration, in a country that works: after the first time it takes ever more
// of them in a row to close the gateway for that country.
func TestANumberCannotKeepItsCountryFromAGateway(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const odd = "+8613800138099"
		only := newCarrier()
		only.says = func(number string) error {
			if number == odd {
				return refuses(gateway.Configuration)
			}
			return nil
		}
		r := broken(t, nil, only)
		lost := 0
		for range 600 { // ten minutes of four odd ones a second, for each that is not
			for range 4 {
				_, _ = r.Send(t.Context(), to(odd))
			}
			if _, err := r.Send(t.Context(), to(china)); err != nil {
				lost++
			}
			time.Sleep(time.Second)
		}
		if lost == 0 || lost > 10 {
			t.Errorf("%d of 600 were lost", lost)
		}
	})
}

// unserved are numbers of many countries.
const unserved = "+447400123456 +4915123456789 +33612345678 +393123456789 +34612345678 +351912345678 +31612345678 +32470123456 +46701234567 +4740612345 " +
	"+4532123456 +358412345678 +48512345678 +420601123456 +43664123456 +36201234567 +40712034567 +306912345678 +905012345678 +972502345678"

// An attacker who asks for numbers of ever more countries that the account does not serve takes the gateway from nobody else: neither
// while nobody else sends in between, nor once it was at fault itself and waits to be tried.
func TestManyCountriesThatAreNotEnabledAreTheirOwnAffair(t *testing.T) {
	t.Parallel()
	for reason, shut := range map[gateway.Reason]time.Duration{gateway.Configuration: 5 * time.Second, gateway.Temporary: time.Second} {
		synctest.Test(t, func(t *testing.T) {
			only := newCarrier()
			partly := func(number string) error {
				if strings.Contains(unserved, number) {
					return refuses(reason)
				}
				return nil
			}
			only.says = partly
			r := broken(t, nil, only)
			attack := func() {
				for range 5 { // as many as an outage takes
					for number := range strings.FieldsSeq(unserved) {
						_, _ = r.Send(t.Context(), to(number))
					}
				}
			}
			wantAsked := func(number string) {
				t.Helper()
				if calls, err := only.asked(r, number); calls != 1 || err != nil {
					t.Errorf("%s: %d calls, %v", reason, calls, err)
				}
			}
			wantAsked(china)
			for i := range 20 {
				attack()
				wantAsked(another(i))
				time.Sleep(10 * time.Second)
			}
			wantAsked(america)
			time.Sleep(10 * time.Second)
			only.fails(reason)
			for i := range 5 {
				_, _ = only.asked(r, another(i))
				_, _ = only.asked(r, america)
			}
			only.says = partly
			if calls, _ := only.asked(r, another(98)); calls != 0 {
				t.Error("it is not at fault")
			}
			time.Sleep(shut)
			attack()
			wantAsked(another(99))
		})
	}
}

// Once two countries to which it has delivered fail with no acceptance between, or, before it has delivered anything, five, the gateway
// is at fault.
func TestSeveralCountriesOpenTheGatewaysOwn(t *testing.T) {
	t.Parallel()
	const fresh = "+390612345678"
	others := []string{china, britain, germany, france, america}
	for name, c := range map[string]struct {
		worked, failing []string
		between         string // accepted between the failures; "": nobody
		whole           float64
	}{
		"two that worked":                        {others[:2], others[:2], "", 2},
		"one that worked":                        {others[:1], others[:1], "", 0},
		"four that never worked":                 {nil, others[:4], "", 0},
		"five that never worked":                 {nil, others, "", 2},
		"five where another one has worked":      {[]string{fresh}, others, "", 0},
		"two that worked, an acceptance between": {others[:3], others[:2], germany, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				registry := prometheus.NewRegistry()
				only := newCarrier()
				r := broken(t, registry, only)
				for _, number := range c.worked {
					_, _ = r.Send(t.Context(), to(number))
				}
				time.Sleep(10 * time.Second) // else it takes three of each country
				for _, number := range c.failing {
					only.fails(gateway.Configuration)
					_, _ = r.Send(t.Context(), to(number))
					only.fails("")
					if c.between != "" {
						_, _ = r.Send(t.Context(), to(c.between))
					}
				}
				wantMetric(t, registry, `smsd_gateway_breaker_state{class="configuration",gateway="g1"}`, c.whole)
				if calls, _ := only.asked(r, fresh); (calls == 0) != (c.whole == 2) {
					t.Errorf("a country that has not failed: %d calls", calls)
				}
				time.Sleep(time.Minute)
				for _, number := range append([]string{fresh}, others...) { // it is well again, and each country is seen to be
					if calls, err := only.asked(r, number); calls != 1 || err != nil {
						t.Errorf("after a minute: %d calls, %v", calls, err)
					}
				}
				wantMetric(t, registry, `smsd_gateway_breaker_state{class="configuration",gateway="g1"}`, 0)
				wantMetric(t, registry, `smsd_gateway_breaker_countries{class="configuration",gateway="g1"}`, 0)
			})
		})
	}
}
