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
