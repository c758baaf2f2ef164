package throttle_test

import (
	"context"
	"testing"
	"time"

	"smsd/internal/throttle"
)

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
