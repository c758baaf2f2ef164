package gateway_test

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"smsd/internal/gateway"
)

// These tests run in a bubble of package synctest, where time passes when nobody has anything to do.

func goexit() { runtime.Goexit() }

func TestDriverThatIgnoresItsContextHoldsUpNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		defer close(release)
		first, second := hangs(release), accepts()
		start := time.Now()
		_, err := newRouter(t, gateway.RouterOptions{}, first, second).Send(t.Context(), gateway.Dispatch{Message: message()})
		if e := failure(t, err); e.Reason != gateway.Ambiguous || e.Sent != gateway.MaybeSent {
			t.Fatalf("got %v", err)
		}
		if took := time.Since(start); took != gateway.DefaultTryTimeout || second.calls.Load() != 0 {
			t.Fatalf("took %s, and the second gateway was called %d times", took, second.calls.Load())
		}
	})
}

// A driver that honours its deadline knows best whether the message left: its word must not be lost in a
// race with the router's own clock.
func TestWordAtTheDeadlineCounts(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		dials := &scripted{send: func(ctx context.Context, _ gateway.Message) (gateway.Accepted, error) {
			<-ctx.Done()
			return gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent, Err: ctx.Err()}
		}}
		start := time.Now()
		got, err := newRouter(t, gateway.RouterOptions{}, dials, accepts()).Send(t.Context(), gateway.Dispatch{Message: message()})
		if err != nil || got.Gateway != "g2" {
			t.Fatalf("got %+v, %v", got, err)
		}
		if took := time.Since(start); took > gateway.DefaultTryTimeout {
			t.Fatalf("took %s", took)
		}
	})
}

// Three gateways that each take all their time to say no: the total holds, and the last one is not tried
// with a sliver of time, which would turn "not sent" into "nobody can tell".
func TestTotalTimeout(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		each       time.Duration
		calls      []int32
		took       time.Duration
		lastReason gateway.Reason
	}{
		{each: 4 * time.Second, calls: []int32{1, 1, 0}, took: 7800 * time.Millisecond, lastReason: gateway.Temporary},
		{each: 2 * time.Second, calls: []int32{1, 1, 1}, took: 6 * time.Second, lastReason: gateway.Temporary},
	} {
		synctest.Test(t, func(t *testing.T) {
			slow := func() *scripted {
				return &scripted{send: func(ctx context.Context, _ gateway.Message) (gateway.Accepted, error) {
					select {
					case <-time.After(c.each):
					case <-ctx.Done():
					}
					return gateway.Accepted{}, &gateway.Error{Reason: gateway.Temporary, Sent: gateway.NotSent}
				}}
			}
			drivers := []*scripted{slow(), slow(), slow()}
			start := time.Now()
			_, err := newRouter(t, gateway.RouterOptions{}, drivers[0], drivers[1], drivers[2]).Send(t.Context(), gateway.Dispatch{Message: message()})
			if took := time.Since(start); took != c.took {
				t.Errorf("took %s, want %s", took, c.took)
			}
			if e := failure(t, err); e.Reason != c.lastReason || e.Sent != gateway.NotSent {
				t.Errorf("got %v", err)
			}
			for i, d := range drivers {
				if d.calls.Load() != c.calls[i] {
					t.Errorf("gateway %d was called %d times", i+1, d.calls.Load())
				}
			}
		})
	}
}

// Calls that never end are bounded, a gateway full of them is passed over at once, and it recovers.
func TestLeakedCallsAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		stuck, second := hangs(release), accepts()
		alone := newRouter(t, gateway.RouterOptions{MaxCalls: 3}, stuck)
		both := newRouter(t, gateway.RouterOptions{MaxCalls: 3}, stuck, second)
		for _, r := range []*gateway.Router{alone, both} {
			for range 3 {
				if _, err := r.Send(t.Context(), gateway.Dispatch{Message: message()}); failure(t, err).Sent != gateway.MaybeSent {
					t.Fatalf("got %v", err)
				}
			}
		}
		start := time.Now()
		_, err := alone.Send(t.Context(), gateway.Dispatch{Message: message()})
		if e := failure(t, err); e.Reason != gateway.Temporary || e.Sent != gateway.NotSent {
			t.Fatalf("got %v", err)
		}
		if got, err := both.Send(t.Context(), gateway.Dispatch{Message: message()}); err != nil || got.Gateway != "g2" {
			t.Fatalf("got %+v, %v", got, err)
		}
		if time.Since(start) != 0 || stuck.calls.Load() != 6 {
			t.Fatalf("a full gateway was waited for: %s, %d calls", time.Since(start), stuck.calls.Load())
		}
		close(release)
		synctest.Wait()
		if _, err := alone.Send(t.Context(), gateway.Dispatch{Message: message()}); err != nil {
			t.Fatalf("the gateway did not recover: %v", err)
		}
	})
}

// The word that comes late, of a call that was given up, is not taken for that of a later one.
func TestLateWordIsNobodyElses(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release, first := make(chan struct{}), true
		r := newRouter(t, gateway.RouterOptions{}, &scripted{send: func(context.Context, gateway.Message) (gateway.Accepted, error) {
			if first {
				first = false
				<-release
				return gateway.Accepted{}, &gateway.Error{Reason: gateway.BadNumber, Sent: gateway.NotSent}
			}
			return gateway.Accepted{ProviderID: "its own"}, nil
		}})
		if _, err := r.Send(t.Context(), gateway.Dispatch{Message: message()}); failure(t, err).Reason != gateway.Ambiguous {
			t.Fatalf("got %v", err)
		}
		close(release)
		synctest.Wait()
		for range 3 {
			got, err := r.Send(t.Context(), gateway.Dispatch{Message: message()})
			if err != nil || got.ProviderID != "its own" {
				t.Fatalf("got %+v, %v", got, err)
			}
		}
	})
}

// Calls that end give their slot back before their answer is out: callers that never have more than
// MaxCalls under way are never turned away.
func TestSlotIsBackWithTheAnswer(t *testing.T) {
	t.Parallel()
	const callers = 8
	r := newRouter(t, gateway.RouterOptions{MaxCalls: callers}, accepts())
	var all sync.WaitGroup
	for range callers {
		all.Go(func() {
			for range 500 {
				if _, err := r.Send(t.Context(), gateway.Dispatch{Message: message()}); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
}
