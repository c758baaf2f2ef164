package gateway_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/gateway"
	"smsd/internal/phone"
)

// The time in these tests is that of a bubble of package synctest.

const china, britain, america, germany, france = "+8613800138000", "+447400123456", "+12025550100", "+4915112345678", "+33612345678"

// carrier is one that says what a test tells it to, by number.
type carrier struct {
	scripted
	says func(number string) error
}

func newCarrier() *carrier {
	c := &carrier{says: func(string) error { return nil }}
	c.send = func(_ context.Context, m gateway.Message) (gateway.Accepted, error) {
		return gateway.Accepted{}, c.says(m.Phone.E164())
	}
	return c
}

func refuses(r gateway.Reason) *gateway.Error {
	return &gateway.Error{Reason: r, Sent: gateway.NotSent}
}

// fails makes it answer everybody with reason; "": accepted.
func (c *carrier) fails(r gateway.Reason) {
	c.says = func(string) error {
		if r == "" {
			return nil
		}
		return refuses(r)
	}
}

// broken is a router with breakers before g1, g2 and so on, whose times are drawn as short as they can be.
func broken(t testing.TB, r prometheus.Registerer, drivers ...gateway.Driver) *gateway.Router {
	t.Helper()
	o := gateway.RouterOptions{Registerer: r, IntN: func(int) int { return 0 }}
	for i, d := range drivers {
		o.Gateways = append(o.Gateways, gateway.Gateway{Name: fmt.Sprintf("g%d", i+1), Driver: d, Breaker: true})
	}
	router, err := gateway.NewRouter(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(router.Close)
	return router
}

// another is one more number of China for each i.
func another(i int) string { return fmt.Sprintf("+861380013%04d", i) }

func to(number string) gateway.Dispatch {
	m := message()
	m.Phone = phone.MustParse(number)
	return gateway.Dispatch{Message: m}
}

// asked sends to number and reports how many calls the carrier got by it.
func (c *carrier) asked(r *gateway.Router, number string) (calls int32, err error) {
	before := c.calls.Load()
	_, err = r.Send(context.Background(), to(number))
	return c.calls.Load() - before, err
}

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

// wantMetric sees that one series has the value.
func wantMetric(t testing.TB, g prometheus.Gatherer, series string, want float64) {
	t.Helper()
	families, err := g.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			var labels []string
			for _, l := range m.GetLabel() {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			if f.GetName()+"{"+strings.Join(labels, ",")+"}" == series {
				if got := m.GetGauge().GetValue() + m.GetCounter().GetValue(); got != want {
					t.Errorf("%s is %v, want %v", series, got, want)
				}
				return
			}
		}
	}
	t.Errorf("there is no %s", series)
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
			for range 5 {
				_, _ = r.Send(t.Context(), to(china))
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

// An open breaker lets one call try at a time, stays open for longer when that fails, and closes when it does not.
func TestBreakerTriesAndRecovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only, release := newCarrier(), make(chan struct{})
		only.fails(gateway.Temporary)
		r := broken(t, nil, only)
		for range 5 {
			_, _ = r.Send(t.Context(), to(china))
		}
		for i, open := range []time.Duration{1, 2, 4, 8, 16, 16} { // seconds
			time.Sleep(open*time.Second - time.Millisecond)
			if calls, _ := only.asked(r, another(i)); calls != 0 {
				t.Fatalf("asked within %d s", open)
			}
			time.Sleep(time.Millisecond)
			if calls, _ := only.asked(r, another(i)); calls != 1 {
				t.Fatalf("%d calls after %d s", calls, open)
			}
		}
		time.Sleep(16 * time.Second)
		only.says = func(string) error { <-release; return nil }
		done := make(chan error, 1)
		go func() { _, err := r.Send(context.Background(), to(another(10))); done <- err }()
		synctest.Wait()
		if calls, err := only.asked(r, another(11)); calls != 0 || err == nil {
			t.Fatalf("two calls try at once: %v", err)
		}
		close(release)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if calls, err := only.asked(r, china); calls != 1 || err != nil {
				t.Fatalf("it did not close: %v", err)
			}
		}
	})
}

// A number that failed it tries again only when others have had as long to do so: it may be what is wrong.
func TestOthersTryFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := newCarrier()
		only.fails(gateway.Configuration)
		r := broken(t, nil, only)
		for _, wait := range []time.Duration{0, 10 * time.Second, 20 * time.Second} {
			time.Sleep(wait - min(wait, time.Millisecond))
			if calls, _ := only.asked(r, china); wait > 0 && calls != 0 {
				t.Fatalf("it tried within %s", wait)
			}
			time.Sleep(min(wait, time.Millisecond))
			if calls, _ := only.asked(r, china); wait > 0 && calls != 1 {
				t.Fatalf("it did not try after %s", wait)
			}
		}
	})
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

// A call that tries and says nothing of the class (its number is bad) lets the next one try.
func TestATryThatSaysNothingIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := newCarrier()
		only.fails(gateway.Configuration)
		r := broken(t, nil, only)
		_, _ = r.Send(t.Context(), to(china))
		time.Sleep(5 * time.Second)
		only.fails(gateway.BadNumber)
		for i := range 3 {
			if calls, _ := only.asked(r, another(i)); calls != 1 {
				t.Fatal("nobody may try any more")
			}
		}
		only.fails("")
		if calls, err := only.asked(r, another(3)); calls != 1 || err != nil {
			t.Fatal(err)
		}
	})
}

// Calls that began before the breaker closed, and end after, open it no second time: they are of the time before.
func TestLateFailuresAreOfAnotherTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only, release := newCarrier(), make(chan struct{})
		r := broken(t, nil, only)
		only.says = func(string) error { <-release; return errors.New("lost") }
		var late sync.WaitGroup
		for range 20 {
			late.Go(func() { _, _ = r.Send(context.Background(), to(china)) })
		}
		synctest.Wait()
		only.fails(gateway.Temporary)
		for range 5 {
			_, _ = r.Send(t.Context(), to(china))
		}
		time.Sleep(time.Second)
		only.fails("")
		_, _ = r.Send(t.Context(), to(another(1))) // tries, and closes it
		close(release)
		late.Wait()
		if calls, err := only.asked(r, china); calls != 1 || err != nil {
			t.Errorf("it opened again: %v", err)
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
			for range 100 {
				_, _ = r.Send(t.Context(), to(china))
			}
			if n != c.asked {
				t.Errorf("each %dth fails: asked %d times, want %d", c.every, n, c.asked)
			}
		})
	}
}

// However many send at once and whatever comes of it, the breaker keeps count, lets at most one try, and recovers.
func TestBreakerUnderManyAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		numbers := []string{china, britain, america, germany, france}
		reasons := append(gateway.Reasons(), "")
		var well atomic.Bool
		first, second := newCarrier(), newCarrier()
		first.says = func(string) error {
			if r := reasons[rand.IntN(len(reasons))]; !well.Load() && r != "" {
				return refuses(r)
			}
			return nil
		}
		r := broken(t, prometheus.NewRegistry(), first, second)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 300 {
					_, _ = r.Send(context.Background(), to(numbers[rand.IntN(len(numbers))]))
					time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond)
				}
			})
		}
		all.Wait()
		well.Store(true)
		time.Sleep(time.Minute) // longer than any circuit is open
		for _, number := range numbers {
			if calls, err := first.asked(r, number); calls != 1 || err != nil {
				t.Errorf("it did not recover: %v", err)
			}
		}
	})
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

// What a breaker and a pace cost a message that is well: compare [BenchmarkRouter].
func BenchmarkRouterWithBreaker(b *testing.B) {
	r, err := gateway.NewRouter(gateway.RouterOptions{Gateways: []gateway.Gateway{{Name: "g1", Driver: accepts(), Breaker: true, Rate: 1e9}}})
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	m := message()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := r.Send(b.Context(), gateway.Dispatch{Message: m}); err != nil {
			b.Fatal(err)
		}
	}
}
