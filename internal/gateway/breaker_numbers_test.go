package gateway_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
)

// One or two people whose numbers make a carrier fail in a way that no table knows keep themselves from it, and nobody else.
func TestAFewNumbersAreHeldAlone(t *testing.T) {
	t.Parallel()
	for _, odd := range [][]string{{another(1)}, {another(1), another(2)}} {
		synctest.Test(t, func(t *testing.T) {
			registry := prometheus.NewRegistry()
			only := newCarrier()
			only.says = func(number string) error {
				if strings.Contains(strings.Join(odd, " "), number) {
					return refuses(gateway.Temporary)
				}
				return nil
			}
			r := broken(t, registry, only)
			for range 600 { // a minute of ten a second from each
				for _, number := range odd {
					_, _ = r.Send(t.Context(), to(number))
				}
				time.Sleep(100 * time.Millisecond)
			}
			if n := only.calls.Load(); n < 5 || n > 20 {
				t.Errorf("the gateway was asked %d times for %d numbers", n, len(odd))
			}
			if calls, err := only.asked(r, odd[0]); calls != 0 || !strings.Contains(failure(t, err).Error(), "not asked for a while, since it failed: temporary") {
				t.Errorf("%d calls, %v", calls, err)
			}
			if calls, err := only.asked(r, china); calls != 1 || err != nil {
				t.Errorf("another number: %d calls, %v", calls, err)
			}
			wantMetric(t, registry, `smsd_gateway_breaker_transitions_total{class="outage",gateway="g1",scope="country",to="open"}`, 0)
			wantMetric(t, registry, `smsd_gateway_ailing{class="outage",gateway="g1"}`, 0)
		})
	}
}

// One person is half of the calls and more, and keeps the gateway from nobody.
func TestHalfOfTheCallsAreOfOne(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		odd, only := another(1), newCarrier()
		only.says = func(number string) error {
			if number == odd {
				return refuses(gateway.Temporary)
			}
			return nil
		}
		r := broken(t, nil, only)
		for i := range 200 {
			for range 2 {
				_, _ = r.Send(t.Context(), to(odd))
			}
			if calls, err := only.asked(r, another(10+i)); calls != 1 || err != nil {
				t.Fatalf("after %d: %v", i, err)
			}
		}
	})
}

// Numbers without a way, however many and on purpose, keep the gateway from nobody: the carrier answers.
func TestNumbersWithoutAWayOpenNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		registry := prometheus.NewRegistry()
		only := newCarrier()
		r := broken(t, registry, only)
		for i := range 500 {
			only.fails(gateway.NoRoute)
			for j := range 5 {
				_, _ = r.Send(t.Context(), to(another(1000+5*i+j)))
			}
			only.fails("")
			if calls, err := only.asked(r, china); calls != 1 || err != nil {
				t.Fatalf("after %d: %d calls, %v", i, calls, err)
			}
		}
	})
}

// What a held number is told passes when the carrier is well: it is asked again once its time is over. What it was held for before an
// answer came is forgotten then.
func TestAHeldNumberComesBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := newCarrier()
		r := broken(t, nil, only)
		for range 2 {
			only.fails(gateway.Temporary)
			for range 4 {
				_, _ = r.Send(t.Context(), to(china))
			}
			for _, held := range []time.Duration{time.Second, 2 * time.Second} {
				if calls, _ := only.asked(r, china); calls != 1 {
					t.Fatalf("it was held too soon, or for longer than before")
				}
				time.Sleep(held - time.Millisecond)
				if calls, _ := only.asked(r, china); calls != 0 {
					t.Fatalf("it was not held for %s", held)
				}
				time.Sleep(time.Millisecond)
			}
			only.fails("")
			for range 2 {
				if calls, err := only.asked(r, china); calls != 1 || err != nil {
					t.Errorf("%d calls, %v", calls, err)
				}
			}
		}
	})
}
