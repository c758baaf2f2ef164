package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// trips is a store that counts what is taken of it.
type trips struct {
	throttle.Store
	takes    atomic.Int64
	answered func() // called after each Take, before its answer is heard; nil: nothing
}

func (s *trips) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	s.takes.Add(1)
	taken, err := s.Store.Take(ctx, t)
	if s.answered != nil {
		s.answered()
	}
	return taken, err
}

// denyWorld is a world with a deny cache.
type denyWorld struct {
	world
	trips    *trips
	registry *prometheus.Registry
	numbers  int // that were attacked
}

func newDenyWorld(t testing.TB) *denyWorld {
	t.Helper()
	w := &denyWorld{world: newWorld(t), registry: prometheus.NewPedanticRegistry()}
	w.trips = &trips{Store: w.store}
	var err error
	w.Limiter, err = throttle.New(throttle.Options{
		Store: w.trips, IndexSecret: secret, DenyClock: w.clock.Now, Registerer: w.registry,
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// asks checks how often the store is asked while do runs.
func (w *denyWorld) asks(t testing.TB, want int64, do func()) {
	t.Helper()
	before := w.trips.takes.Load()
	do()
	if got := w.trips.takes.Load() - before; got != want {
		t.Errorf("the store was asked %d times, want %d", got, want)
	}
}

// cooldown is a request that is allowed once a minute.
func cooldown(t testing.TB, client string) throttle.Request {
	return throttle.Request{Rules: compile(t, typical(), "login", "register"), Scene: "login", Subjects: subjectsOf(victim, client)}
}

func TestHotRefusalsCostNoTrip(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	w.asks(t, 0, func() {
		for n := range 1999 {
			w.clock.Advance(time.Millisecond)
			want := throttle.Decision{Rule: "login/cooldown", Used: 1, Limit: 1, RetryAfter: time.Minute - time.Duration(n+1)*time.Millisecond}
			if d := w.refused(t, request); d != want {
				t.Fatalf("%+v, want %+v", d, want)
			}
		}
	})
	// After two seconds the store is asked again, and answers the same.
	w.clock.Advance(time.Millisecond)
	w.asks(t, 1, func() {
		for range 10 {
			if d := w.refused(t, request); d.RetryAfter != 58*time.Second {
				t.Errorf("%+v", d)
			}
		}
	})
	w.clock.Advance(58 * time.Second)
	w.asks(t, 1, func() { w.allowed(t, request) })
}

// A deadline within the two seconds is kept to the millisecond.
func TestDenialEndsWithItsDeadline(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	w.clock.Advance(59 * time.Second)
	w.refused(t, request)
	w.clock.Advance(999 * time.Millisecond)
	w.asks(t, 0, func() { w.refused(t, request) })
	w.clock.Advance(time.Millisecond)
	w.allowed(t, request)
}

// envoy#1077, #1230: refused, then raised: the next call reaches the store. So it does after any other policy change,
// back to what were the same rules too.
func TestPolicyChangeReachesTheStore(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := typical()[:1]
	request := throttle.Request{Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	for limit := int64(1); limit < 4; limit++ {
		rules[0].Limit = limit
		request.Rules = compile(t, rules, "login")
		w.asks(t, 1, func() { w.allowed(t, request) })
		w.asks(t, 0, func() { w.refused(t, request) })
	}
	request.Rules = compile(t, rules, "login")
	w.asks(t, 1, func() { w.refused(t, request) })
}

// envoy#1077, #1230: refused, then refunded: the next call reaches the store, and passes.
func TestRefundReachesTheStore(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	res := w.allowed(t, request)
	w.refused(t, request)
	refund := func(kinds ...throttle.Kind) {
		if err := res.Refund(t.Context(), kinds...); err != nil {
			t.Fatal(err)
		}
	}
	refund(throttle.IP) // is not what the refusal rests on
	w.asks(t, 0, func() { w.refused(t, request) })
	refund(throttle.Phone)
	w.asks(t, 1, func() { w.allowed(t, request) })
}

// The phone refuses for seconds, the address for an hour; then something else of the address's is given back, and with it
// goes what is known of its hour. To tell of the seconds would be too short a wait.
func TestRefundMayLeaveALongerRefusal(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := compile(t, []throttle.Rule{
		{Name: "phone", By: []throttle.Kind{throttle.Phone}, Limit: 1, Window: 5 * time.Second},
		{Name: "ip", By: []throttle.Kind{throttle.IP}, Limit: 2, Window: time.Hour},
		{Name: "verifies", By: []throttle.Kind{throttle.IP}, On: throttle.Verify, Limit: 9, Window: time.Hour},
	}, "login")
	send := func(phone string) throttle.Request {
		return throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(phone, "192.0.2.1")}
	}
	verify := send("+8613800138001")
	verify.Event = throttle.Verify
	res := w.allowed(t, verify)
	w.allowed(t, send("+8613800138001"))
	w.allowed(t, send("+8613800138002"))
	w.asks(t, 0, func() { w.refused(t, send("+8613800138001")) })
	if err := res.Refund(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.asks(t, 1, func() {
		if d := w.refused(t, send("+8613800138001")); d.Rule != "ip" || d.RetryAfter != time.Hour {
			t.Errorf("refused by %q for %s", d.Rule, d.RetryAfter)
		}
	})
}

// The refund comes between the store's refusal and its being heard: it would hold for two seconds.
func TestRefundWhileARefusalIsOnItsWay(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	res := w.allowed(t, request)
	w.clock.Advance(2 * time.Second)
	w.trips.answered = func() {
		w.trips.answered = nil
		if err := res.Refund(context.Background()); err != nil {
			t.Error(err)
		}
	}
	w.refused(t, request)
	w.asks(t, 1, func() { w.allowed(t, request) })
}

func TestParallelRefundsReachTheStore(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	for range 200 {
		res := w.allowed(t, request)
		together(4, func(i int) {
			if i == 0 {
				if err := res.Refund(context.Background()); err != nil {
					t.Error(err)
				}
				return
			}
			if again, err := w.Reserve(context.Background(), request); err == nil {
				if err := again.Refund(context.Background()); err != nil {
					t.Error(err)
				}
			}
		})
	}
	w.allowed(t, request)
}

func TestResetReachesTheStore(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	w.refused(t, request)
	if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.IPNet, ID: "192.0.2.0/24"}); err != nil {
		t.Fatal(err)
	}
	w.asks(t, 0, func() { w.refused(t, request) })
	if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.Phone, ID: victim}); err != nil {
		t.Fatal(err)
	}
	w.asks(t, 1, func() { w.allowed(t, request) })
}

// A full shadow rule makes no entry, and does not keep one from being found.
func TestShadowRulesMakeNoDenial(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	phone := []throttle.Kind{throttle.Phone}
	rules := []throttle.Rule{
		{Name: "shadow", By: phone, Limit: 1, Window: time.Hour, Mode: throttle.Shadow},
		{Name: "two", By: phone, Limit: 2, Window: time.Minute},
	}
	request := throttle.Request{Rules: compile(t, rules, "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	w.asks(t, 2, func() { w.allowed(t, request); w.allowed(t, request) })
	w.asks(t, 0, func() {
		if d := w.refused(t, request); d.Rule != "two" || d.RetryAfter != time.Minute {
			t.Errorf("%+v", d)
		}
	})
	if p := prepared(t, w, request); p.Known().(*throttle.Denied).Rule != "two" {
		t.Error("the shadow rule's wait is told")
	}
	request.Rules = compile(t, rules[:1], "login")
	w.asks(t, 3, func() { w.allowed(t, request); w.allowed(t, request); w.allowed(t, request) })
}

func prepared(t testing.TB, w *denyWorld, r throttle.Request) *throttle.Prepared {
	t.Helper()
	p, err := w.Prepare(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// What is known of a number from one address does not refuse another: that one's own rules may refuse for longer.
func TestWaitIsOfAllRules(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	crowded := cooldown(t, "198.51.100.1")
	for n := range 25 {
		crowded.Subjects = subjectsOf(fmt.Sprintf("+86139001390%02d", n), "198.51.100.1")
		w.allowed(t, crowded)
	}
	first := throttle.Request{Rules: crowded.Rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	w.allowed(t, first)
	w.refused(t, first)
	crowded.Subjects = subjectsOf(victim, "198.51.100.1")
	if d := w.refused(t, crowded); d.Rule != "ip-burst" {
		t.Errorf("%+v", d)
	}
}

// While a refusal is repeated, another scene fills what both share: the longer wait is told.
func TestWaitThatHasGrown(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	login, register := cooldown(t, "192.0.2.1"), throttle.Request{}
	register = login
	register.Scene = "register"
	w.allowed(t, login)
	for range 4 {
		w.allowed(t, register)
	}
	w.asks(t, 0, func() {
		if d := w.refused(t, login); d.Rule != "phone-hour" || d.RetryAfter != time.Hour {
			t.Errorf("%+v", d)
		}
	})
}

// Beyond the two seconds a deadline refuses nobody, but it is told: to every request with such a subject, and to who
// knows only the name of one.
func TestKnownWaits(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	first, other := cooldown(t, "192.0.2.1"), throttle.Request{}
	other = first
	other.Subjects = subjectsOf(victim, "198.51.100.1")
	p := prepared(t, w, first)
	p.As("the first")
	res, err := p.Reserve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(10 * time.Second)
	tells := func(what string, err error, want time.Duration) {
		t.Helper()
		var d *throttle.Denied
		if errors.As(err, &d) != (want > 0) || want > 0 && d.RetryAfter != want {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
	}
	tells("denied", prepared(t, w, first).Denied(), 0)
	tells("the same", prepared(t, w, first).Known(), 50*time.Second)
	tells("from another address", prepared(t, w, other).Known(), 50*time.Second)
	tells("by name", w.Known(first.Rules, "the first"), 50*time.Second)
	tells("by name, other rules", w.Known(compile(t, typical(), "login"), "the first"), 0)
	tells("by another name", w.Known(first.Rules, "the second"), 0)
	if err := res.Refund(t.Context()); err != nil {
		t.Fatal(err)
	}
	tells("refunded", prepared(t, w, other).Known(), 0)
	tells("refunded, by name", w.Known(first.Rules, "the first"), 0)
}

// A clock that steps back does not hold a denial for the whole step.
func TestDenialAndAClockThatStepsBack(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	w.clock.Advance(-time.Hour)
	w.asks(t, 1, func() { w.refused(t, request) })
}

// A store that can't tell makes no entry; one that has told needs not be there to refuse.
func TestOutageMakesNoDenial(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		if _, err := w.Reserve(ended, request); !errors.Is(err, throttle.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	w.allowed(t, request)
	var d *throttle.Denied
	if _, err := w.Reserve(ended, request); !errors.As(err, &d) {
		t.Error(err)
	}
}

// A guess by force refuses the next sends of the scene, at once and for its whole wait.
func TestGuessesAreKnown(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	guess := request
	guess.Event = throttle.Guess
	w.allowed(t, request)
	for range 10 {
		if err := w.Charge(t.Context(), guess); err != nil {
			t.Fatal(err)
		}
	}
	if d := w.refused(t, request); d.Rule != "guesses" || d.RetryAfter != time.Hour {
		t.Errorf("%+v", d)
	}
}

func TestDenyMetrics(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	for range 3 {
		w.refused(t, request)
	}
	if err := testutil.GatherAndCompare(w.registry, strings.NewReader(`
# HELP smsd_throttle_deny_hits_total Events refused from the deny cache, without asking the store, by the rule that refuses for longest.
# TYPE smsd_throttle_deny_hits_total counter
smsd_throttle_deny_hits_total{rule="login/cooldown"} 3
`), "smsd_throttle_deny_hits_total"); err != nil {
		t.Error(err)
	}
}

// With more refusals than the cache has places, entries are lost, which costs a trip; no answer changes.
func TestCrowdedDenyCache(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	w.trips.Store = memstore.NewCounters(memstore.Options{Clock: w.clock})
	rules := compile(t, []throttle.Rule{{Name: "one", By: []throttle.Kind{throttle.Device}, Limit: 1, Window: time.Minute}}, "login")
	of := func(n int) throttle.Request {
		return throttle.Request{Rules: rules, Scene: "login", Subjects: []throttle.Subject{{Kind: throttle.Device, ID: fmt.Sprint(n)}}}
	}
	const crowd = 40_000
	for n := range crowd {
		w.allowed(t, of(n))
	}
	before := w.trips.takes.Load()
	for n := range crowd {
		if d := w.refused(t, of(n)); d.RetryAfter != time.Minute {
			t.Fatalf("%+v", d)
		}
	}
	if lost := w.trips.takes.Load() - before; lost < crowd/10 || lost == crowd {
		t.Errorf("the store was asked %d times of %d", lost, crowd)
	}
}
