package throttle_test

import (
	"fmt"
	"testing"
	"time"

	"smsd/internal/address"
	"smsd/internal/throttle"
)

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
