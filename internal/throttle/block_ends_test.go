package throttle_test

import (
	"context"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// envoy#1077, #1230: blocked, then given back, reset, or under other rules: the next call reaches the store.
func TestWhatEndsABlock(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, w *denyWorld, res *throttle.Reservation, request *throttle.Request) error{
		"a refund": func(t *testing.T, w *denyWorld, res *throttle.Reservation, _ *throttle.Request) error {
			return res.Refund(t.Context(), throttle.IP)
		},
		"a reset of its network": func(t *testing.T, w *denyWorld, _ *throttle.Reservation, _ *throttle.Request) error {
			return w.Reset(t.Context(), throttle.Subject{Kind: throttle.IPNet, ID: "192.0.2.0/24"})
		},
		"a raised limit": func(t *testing.T, w *denyWorld, _ *throttle.Reservation, r *throttle.Request) error {
			r.Rules = compile(t, []throttle.Rule{
				{Name: "one", By: []throttle.Kind{throttle.IP}, Limit: 2, Window: time.Minute},
				{Name: "many", By: []throttle.Kind{throttle.Phone}, Limit: 1000, Window: time.Minute},
			}, "login")
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newDenyWorld(t)
			rules := onePer(t, throttle.IP)
			res := w.allowed(t, attack(rules, 0))
			w.hammer(t, rules, 5)
			if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.Phone, ID: victim}); err != nil { // is another's
				t.Fatal(err)
			}
			w.asks(t, 0, func() { w.hammer(t, rules, 1) })
			request := attack(rules, 0)
			if err := end(t, w, res, &request); err != nil {
				t.Fatal(err)
			}
			w.asks(t, 1, func() { w.allowed(t, request) })
			w.asks(t, 5, func() { w.hammer(t, request.Rules, 20) })
		})
	}
}

// Other rules that refuse as well are asked themselves, and the refusals of before count for nothing.
func TestRefusalsUnderAnotherPolicyVersion(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	for range 3 {
		w.hammer(t, rules, 4)
		rules = onePer(t, throttle.IP)
	}
	w.asks(t, 5, func() { w.hammer(t, rules, 10) })
}

// The refund comes between the store's fifth refusal and its being heard.
func TestRefundWhileTheFifthRefusalIsOnItsWay(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	res := w.allowed(t, attack(rules, 0))
	w.hammer(t, rules, 4)
	w.trips.answered = func() {
		w.trips.answered = nil
		if err := res.Refund(context.Background()); err != nil {
			t.Error(err)
		}
	}
	w.hammer(t, rules, 1)
	w.asks(t, 1, func() { w.allowed(t, attack(rules, 0)) })
}

// A clock that steps back does not hold a block for the whole step.
func TestBlockAndAClockThatStepsBack(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	w.hammer(t, rules, 5)
	w.clock.Advance(-time.Hour)
	w.asks(t, 5, func() { w.hammer(t, rules, 10) })
}
