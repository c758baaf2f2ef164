package throttle_test

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"pgregory.net/rapid"

	"smsd/internal/address"
	"smsd/internal/throttle"
)

// gate is a Local whose clock stands still until it is moved.
type gate struct {
	*throttle.Local
	now time.Time
}

func newGate(t testing.TB, o throttle.LocalOptions) *gate {
	t.Helper()
	g := &gate{now: time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)}
	o.Now = func() time.Time { return g.now }
	var err error
	if g.Local, err = throttle.NewLocal(o); err != nil {
		t.Fatal(err)
	}
	return g
}

func addr(t testing.TB, s string) address.Addr {
	t.Helper()
	a, err := address.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// pass counts how many of n events of an address pass.
func (g *gate) pass(n int, e throttle.Event, a address.Addr) (passed int) {
	for range n {
		if g.Allow(e, a) == nil {
			passed++
		}
	}
	return passed
}

func (g *gate) denied(t testing.TB, e throttle.Event, a address.Addr) throttle.Decision {
	t.Helper()
	var d *throttle.Denied
	if err := g.Allow(e, a); !errors.As(err, &d) {
		t.Fatalf("got %v, want a refusal", err)
	}
	return d.Decision
}

func TestOneAddressCanNotEmptyTheNext(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 100, Burst: 50, IPRate: 10, IPBurst: 20})
	attacker, honest := addr(t, "198.51.100.1"), addr(t, "192.0.2.1")
	if n := g.pass(1000, throttle.Send, attacker); n != 20 {
		t.Errorf("%d passed, want 20", n)
	}
	if d := g.denied(t, throttle.Send, attacker); d.Rule != throttle.LocalAddress || d.Limit != 20 {
		t.Errorf("%+v", d)
	}
	if n := g.pass(10, throttle.Send, honest); n != 10 {
		t.Errorf("%d passed, want 10", n)
	}
}

// Refusals take no token from either layer.
func TestLocalRefusalsTakeNothing(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 10, Burst: 30, IPRate: 10, IPBurst: 20})
	attacker, honest := addr(t, "198.51.100.1"), addr(t, "192.0.2.1")
	g.pass(1000, throttle.Send, attacker)
	if n := g.pass(1000, throttle.Send, honest); n != 10 {
		t.Fatalf("%d passed, want the 10 that the process has left", n)
	}
	if d := g.denied(t, throttle.Send, honest); d.Rule != throttle.LocalProcess {
		t.Errorf("%+v", d)
	}
	g.now = g.now.Add(10 * time.Second)
	if n := g.pass(100, throttle.Send, honest); n != 20 {
		t.Errorf("%d passed, want a whole burst: what the process refused cost the address nothing", n)
	}
}

func TestSendsAndVerifiesAreApart(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 10, Burst: 5, IPRate: 10, IPBurst: 5})
	a := addr(t, "192.0.2.1")
	for _, e := range []throttle.Event{throttle.Send, throttle.Verify} {
		if n := g.pass(100, e, a); n != 5 {
			t.Errorf("%s: %d passed, want 5", e, n)
		}
	}
	if err := g.Allow(throttle.Guess, a); err == nil {
		t.Error("a guess has no layer")
	}
}

// The wait is true, and above 0, at every rate.
func TestLocalRetryAfterIsTrue(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		rate := rapid.Float64Range(0.001, 5000).Draw(rt, "rate")
		g := newGate(t, throttle.LocalOptions{
			Rate: rate, Burst: rapid.IntRange(1, 50).Draw(rt, "burst"),
			IPRate: rapid.Float64Range(0.001, 5000).Draw(rt, "address rate"), IPBurst: rapid.IntRange(1, 50).Draw(rt, "address burst"),
		})
		a := addr(t, "192.0.2.1")
		for range 60 {
			g.now = g.now.Add(time.Duration(rapid.Int64Range(0, 1e9).Draw(rt, "ns")))
			var d *throttle.Denied
			if errors.As(g.Allow(throttle.Send, a), &d) {
				if d.RetryAfter <= 0 || d.Allowed {
					rt.Fatalf("%+v", d)
				}
				g.now = g.now.Add(d.RetryAfter)
				if err := g.Allow(throttle.Send, a); err != nil {
					rt.Fatalf("after %s: %v", d.RetryAfter, err)
				}
			}
		}
	})
}

func TestLocalCountsHosts(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1, IPBurst: 5})
	passed := 0
	for n := range 10_000 {
		passed += g.pass(1, throttle.Send, addr(t, fmt.Sprintf("2001:db8:1:2:%x::%x", n, n)))
	}
	if passed != 5 {
		t.Errorf("%d addresses of one /64 passed, want 5", passed)
	}
	if n := g.pass(3, throttle.Send, addr(t, "1.2.3.4")) + g.pass(9, throttle.Send, addr(t, "::ffff:1.2.3.4")); n != 5 {
		t.Errorf("%d passed, want 5", n)
	}
}

func TestNoAddress(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 1, Burst: 7, IPRate: 1, IPBurst: 1})
	if n := g.pass(100, throttle.Send, address.Addr{}); n != 7 {
		t.Errorf("%d passed, want 7", n)
	}
}

func numbered(t testing.TB, n int) address.Addr {
	return addr(t, fmt.Sprintf("10.%d.%d.%d", n>>16&0xff, n>>8&0xff, n&0xff))
}

// Crowding the table gives nobody a fresh bucket, and costs those who have a place nothing.
func TestCrowdedTable(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1, IPBurst: 3, MaxAddresses: 100})
	attacker := addr(t, "198.51.100.1")
	if n := g.pass(10, throttle.Send, attacker); n != 3 {
		t.Fatalf("%d passed", n)
	}
	for n := range 99 {
		if g.pass(1, throttle.Send, numbered(t, n)) != 1 {
			t.Fatalf("address %d has no place", n)
		}
	}
	shared := 0
	for n := range 1000 {
		shared += g.pass(1, throttle.Send, numbered(t, 1000+n))
	}
	if shared != 3 {
		t.Errorf("%d of those without a place passed, want the shared bucket's 3", shared)
	}
	if n := g.pass(10, throttle.Send, attacker); n != 0 {
		t.Errorf("%d passed: the attacker got a fresh bucket", n)
	}
	if n := g.pass(10, throttle.Send, numbered(t, 5)); n != 2 {
		t.Errorf("%d passed: an address with a place lost it", n)
	}
	// Full buckets are forgotten, and make room.
	g.now = g.now.Add(3 * time.Second)
	for n := range 100 {
		if got := g.pass(10, throttle.Send, numbered(t, 5000+n)); got != 3 {
			t.Fatalf("address %d: %d passed, want 3", n, got)
		}
	}
}

// An address that is always busy does not keep those behind it from making room.
func TestBusyAddressDoesNotKeepThePlacesOfOthers(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1, IPBurst: 3, MaxAddresses: 3})
	for n := range 3 {
		g.pass(3, throttle.Send, numbered(t, n))
	}
	for range 5 {
		g.now = g.now.Add(time.Second)
		g.pass(1, throttle.Send, numbered(t, 0))
	}
	for n := range 2 {
		if got := g.pass(9, throttle.Send, numbered(t, 10+n)); got != 3 {
			t.Errorf("%d passed, want 3 of its own", got)
		}
	}
	if got := g.pass(9, throttle.Send, numbered(t, 20)); got != 3 {
		t.Errorf("%d passed, want the shared bucket's 3", got)
	}
	if got := g.pass(9, throttle.Send, numbered(t, 21)); got != 0 {
		t.Errorf("%d passed, want none: the shared bucket is empty", got)
	}
}

// Refused newcomers take no place.
func TestRefusalsDoNotCrowdTheTable(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 10, Burst: 10, IPRate: 1, IPBurst: 100, MaxAddresses: 50})
	for n := range 5000 {
		g.pass(1, throttle.Send, numbered(t, n))
	}
	g.now = g.now.Add(time.Second)
	if n := g.pass(10, throttle.Send, addr(t, "192.0.2.1")); n != 10 {
		t.Errorf("%d passed, want 10", n)
	}
}

func TestNewLocalRefuses(t *testing.T) {
	t.Parallel()
	sound := throttle.LocalOptions{Rate: 1, Burst: 1, IPRate: 1, IPBurst: 1}
	for name, change := range map[string]func(*throttle.LocalOptions){
		"no rate":            func(o *throttle.LocalOptions) { o.Rate = 0 },
		"a negative rate":    func(o *throttle.LocalOptions) { o.Rate = -1 },
		"an infinite rate":   func(o *throttle.LocalOptions) { o.Rate = math.Inf(1) },
		"not a number":       func(o *throttle.LocalOptions) { o.Rate = math.NaN() },
		"no burst":           func(o *throttle.LocalOptions) { o.Burst = 0 },
		"no address rate":    func(o *throttle.LocalOptions) { o.IPRate = 0 },
		"no address burst":   func(o *throttle.LocalOptions) { o.IPBurst = 0 },
		"negative addresses": func(o *throttle.LocalOptions) { o.MaxAddresses = -1 },
	} {
		o := sound
		change(&o)
		if _, err := throttle.NewLocal(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func TestLocalTogether(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 1, Burst: 64, IPRate: 1, IPBurst: 10})
	passed := make([]int, 200)
	together(len(passed), func(i int) { passed[i] = g.pass(1, throttle.Send, numbered(t, i%8)) })
	n := 0
	for _, p := range passed {
		n += p
	}
	if n != 64 {
		t.Errorf("%d passed, want 64", n)
	}
}

// A rate at which nothing ever refills is told as a long wait, not as one that has overflowed.
func TestLocalWaitIsBounded(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 1e-300, Burst: 1, IPRate: 1, IPBurst: 1})
	g.pass(1, throttle.Send, address.Addr{})
	if d := g.denied(t, throttle.Send, address.Addr{}); d.RetryAfter != math.MaxInt32*time.Millisecond {
		t.Errorf("%+v", d)
	}
}

// Whoever has no address does not share what those share for whom there is no place.
func TestNoAddressIsNoStranger(t *testing.T) {
	t.Parallel()
	g := newGate(t, throttle.LocalOptions{Rate: 1000, Burst: 1000, IPRate: 1, IPBurst: 1, MaxAddresses: 1})
	for _, a := range []string{"192.0.2.1", "192.0.2.2"} {
		g.pass(10, throttle.Send, addr(t, a))
	}
	if d := g.denied(t, throttle.Send, addr(t, "192.0.2.3")); d.Rule != throttle.LocalAddress {
		t.Errorf("%+v", d)
	}
	if n := g.pass(10, throttle.Send, address.Addr{}); n != 10 {
		t.Errorf("%d of 10 passed", n)
	}
}
