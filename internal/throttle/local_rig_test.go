package throttle_test

import (
	"errors"
	"testing"
	"time"

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
