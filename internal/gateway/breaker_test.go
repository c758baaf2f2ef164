package gateway_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/gateway"
)

// Every reason, again and again at the first gateway of two: after how many messages it is asked no more, who takes them
// meanwhile, and what moves.
func TestBreakerByReason(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reason gateway.Reason
		asked  int32 // of twenty messages
		second int32
		class  string
		ailing float64
		shut   float64
	}{
		{gateway.Temporary, 5, 20, "outage", 1, 1},
		{gateway.Ambiguous, 5, 15, "outage", 1, 1},
		{gateway.Configuration, 1, 20, "configuration", 1, 1},
		{gateway.BadNumber, 20, 0, "", 0, 0},
		{gateway.NoRoute, 20, 20, "", 0, 0},
		{gateway.Throttled, 20, 0, "", 0, 0},
		{gateway.Content, 20, 0, "", 0, 0},
		{"", 20, 0, "", 0, 0},
	} {
		t.Run(string(c.reason), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				registry := prometheus.NewRegistry()
				first, second := newCarrier(), newCarrier()
				first.fails(c.reason)
				r := broken(t, registry, first, second)
				for i := range 20 {
					_, _ = r.Send(t.Context(), to(another(i)))
				}
				if first.calls.Load() != c.asked || second.calls.Load() != c.second {
					t.Errorf("asked %d and %d times, want %d and %d", first.calls.Load(), second.calls.Load(), c.asked, c.second)
				}
				for _, class := range []string{"outage", "configuration"} {
					hit := map[bool]float64{true: 1}[class == c.class]
					label := `{class="` + class + `",gateway="g1"}`
					wantMetric(t, registry, "smsd_gateway_ailing"+label, hit*c.ailing)
					wantMetric(t, registry, "smsd_gateway_breaker_countries"+label, hit*c.shut)
					wantMetric(t, registry, `smsd_gateway_breaker_transitions_total{class="`+class+`",gateway="g1",scope="country",to="open"}`, hit)
				}
				wantMetric(t, registry, `smsd_gateway_skipped_total{gateway="g1",why="breaker"}`, float64(20-c.asked))
			})
		})
	}
}

// Where no other gateway can take it, a message fails at once, surely not sent, with the reason that opened the breaker and
// what the carrier had said.
func TestOpenBreakerFailsFast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		says error
		want gateway.Reason
	}{
		{&gateway.Error{Reason: gateway.Ambiguous, Err: errors.New("http status 500")}, gateway.Temporary},
		{&gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: errors.New("http status 500")}, gateway.Temporary},
		{&gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("http status 500")}, gateway.Configuration},
	} {
		synctest.Test(t, func(t *testing.T) {
			only := newCarrier()
			only.says = func(string) error { return c.says }
			r := broken(t, nil, only)
			for i := range 5 {
				_, _ = r.Send(t.Context(), to(another(i)))
			}
			calls, err := only.asked(r, china)
			e := failure(t, err)
			if calls != 0 || e.Reason != c.want || e.Sent != gateway.NotSent || e.Gateway != "g1" || !strings.Contains(e.Error(), "not asked for a while, since it failed") || !strings.Contains(e.Error(), "http status 500") {
				t.Errorf("%d calls, %v", calls, err)
			}
			e.Earlier = e // the next one is told by an error of its own
			if _, err := only.asked(r, china); failure(t, err).Earlier != nil {
				t.Error("two messages share an error")
			}
		})
	}
}

// Within moments of an acceptance a single fault of the configuration may be the number's: it takes three.
func TestOneFaultAmongAcceptancesOpensNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := newCarrier()
		r := broken(t, nil, only)
		for _, faults := range []int{2, 2, 3} {
			only.fails("")
			_, _ = r.Send(t.Context(), to(china))
			only.fails(gateway.Configuration)
			for i := range faults {
				if calls, _ := only.asked(r, another(i)); calls != 1 {
					t.Fatalf("closed after %d faults", i)
				}
			}
		}
		if calls, _ := only.asked(r, another(4)); calls != 0 {
			t.Fatal("three in a row were to close it")
		}
	})
}

// A gateway that fails now and then, never five times in a row, is asked no more once half of the calls fail.
func TestHalfOfTheCalls(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ every, asked int }{{2, 20}, {3, 100}} {
		synctest.Test(t, func(t *testing.T) {
			only, n := newCarrier(), 0
			only.says = func(string) error {
				if n++; n%c.every == 0 {
					return refuses(gateway.Temporary)
				}
				return nil
			}
			r := broken(t, nil, only)
			for i := range 100 {
				_, _ = r.Send(t.Context(), to(another(i)))
			}
			if n != c.asked {
				t.Errorf("each %dth fails: asked %d times, want %d", c.every, n, c.asked)
			}
		})
	}
}

// No label grows with what clients ask for.
func TestBreakerSeriesAreFew(t *testing.T) {
	t.Parallel()
	registry := prometheus.NewRegistry()
	only := newCarrier()
	only.fails(gateway.Configuration)
	r := broken(t, registry, only)
	before, _ := testutil.GatherAndCount(registry)
	for _, number := range []string{china, britain, america, germany, france} {
		_, _ = r.Send(t.Context(), to(number))
	}
	if after, err := testutil.GatherAndCount(registry); err != nil || after != before {
		t.Errorf("%d series, then %d, %v", before, after, err)
	}
}
