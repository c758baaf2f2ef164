package app

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/secret"
	"smsd/internal/store/memstore"
	"smsd/internal/store/redisstore"
	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
)

// stuck is a carrier that holds messages to one number for as long as it likes, and then says that it surely did not take them.
type stuck struct {
	*mock.Gateway
	number string
	holds  chan struct{} // a message has arrived
	fails  chan struct{} // one is let go
}

func newStuck(number string) *stuck {
	return &stuck{mock.New(nil), number, make(chan struct{}), make(chan struct{})}
}

func (g *stuck) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	if m.Phone.E164() != g.number {
		return g.Gateway.Send(ctx, m)
	}
	g.holds <- struct{}{}
	<-g.fails
	return gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: errors.New("no line was free")}
}

// slowRig is an instance whose carrier is stuck for one number, and the clock of its stores.
type slowRig struct {
	caller
	clock *storetest.ManualClock
	stuck *stuck
	proxy *testserver.ProxyServer // nil: in memory
}

// begin sends to the number for which the carrier is stuck, and returns once the message is there.
func (r *slowRig) begin() (end func() answer) {
	r.t.Helper()
	var done sync.WaitGroup
	var a answer
	done.Go(func() { a = r.send(r.stuck.number) })
	<-r.stuck.holds
	return func() answer { r.stuck.fails <- struct{}{}; done.Wait(); return a }
}

// passes counts how many of n sends to other numbers pass, which count by the same address.
func (r *slowRig) passes(n int) (passed int) {
	r.t.Helper()
	for i := range n {
		if a := r.send(numbered(4, i)); a.status == 200 {
			passed++
		} else {
			r.wants(a, "429 rate_limited")
		}
	}
	return passed
}

// slowLimits are one log and one counter on what the numbers have in common, and so the stuck message with the others.
const slowLimits = "{name: log, by: [ip], limit: 4, window: 1m}, {name: counter, by: [ip_net], limit: 100, window: 1m, algorithm: counter}"

// newSlowRig has its stores in memory, or on a Redis whose calls may take budget.
func newSlowRig(t *testing.T, onRedis bool, budget time.Duration) *slowRig {
	r := &slowRig{clock: storetest.NewManualClock(), stuck: newStuck(alice)}
	p := parts{inbox: r.stuck.Gateway, driver: r.stuck, policy: rules(slowLimits)}
	if !onRedis {
		clock := memstore.NewClock(r.clock.Now)
		p.counters, p.codes = memstore.NewCounters(memstore.Options{Clock: clock}), memstore.NewCodes(memstore.Options{Clock: clock})
	} else {
		r.proxy = testserver.Proxy(t, testserver.Redis(t).Socket())
		client, err := redisstore.Open(t.Context(), redisstore.Options{URL: secret.New(r.proxy.URL()), Budget: budget, Now: r.clock.Now})
		ok(t, err)
		t.Cleanup(func() { _ = client.Close() })
		p.counters, p.codes = client.Counters(), client.Codes()
	}
	r.caller = assemble(t, p)
	return r
}

// Much time passes between a reservation and its refund, and much else happens. The refund gives back just the one
// that it is of; and where that has long left the window, nothing.
func TestCasesSlowLogicBeforeARefund(t *testing.T) {
	t.Parallel()
	for name, onRedis := range map[string]bool{"memory": false, "redis": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newSlowRig(t, onRedis, patience)
			for _, slow := range []struct {
				took         time.Duration // of the carrier
				passed, then int           // of six others: while it is stuck, and after the refund
			}{
				{0, 3, 1}, {7 * time.Second, 3, 1}, {time.Minute - time.Millisecond, 3, 1},
				{time.Minute, 4, 0}, {90 * time.Second, 4, 0}, {time.Hour, 4, 0},
			} {
				r.clock.Advance(3 * time.Minute) // of both windows nothing is left
				end := r.begin()
				r.clock.Advance(slow.took)
				if n := r.passes(6); n != slow.passed {
					t.Errorf("stuck for %s: %d passed meanwhile, want %d", slow.took, n, slow.passed)
				}
				r.wants(end(), "502 gateway_failed")
				if n := r.passes(6); n != slow.then {
					t.Errorf("stuck for %s: %d passed after the refund, want %d", slow.took, n, slow.then)
				}
			}
		})
	}
}

// A refund that gets lost on the way leaves it charged: for one window, and nobody else is let in for it. (animir#254)
func TestCasesLostRefundHealsWithinAWindow(t *testing.T) {
	t.Parallel()
	r := newSlowRig(t, true, 4*time.Second)
	end := r.begin()
	if n := r.passes(2); n != 2 {
		t.Fatalf("%d passed, want 2", n)
	}
	r.proxy.BlackHole()
	r.wants(end(), "502 gateway_failed") // what the client is told is true all the same
	r.proxy.Pass()
	passed := 0
	until(t, "the limit is reached", func() bool { // after an outage calls may fail fast for a while
		a := r.send(bob)
		if a.status == 200 {
			passed++
		}
		return a.status == 429
	})
	if passed != 1 {
		t.Errorf("%d more passed, want 1: of four, the lost one stays charged", passed)
	}
	r.clock.Advance(time.Minute)
	if n := r.passes(6); n != 4 {
		t.Errorf("%d passed after a window, want 4", n)
	}
}
