package throttle_test

import (
	"maps"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// What a shadow counter did not count, a refund does not give back.
func TestRefundOfAShadowCounter(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := compile(t, []throttle.Rule{
		{Name: "shadow", By: []throttle.Kind{throttle.Phone}, Limit: 1, Window: time.Hour, Algorithm: throttle.Counter, Mode: throttle.Shadow},
	}, "login")
	request := throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	first, second := w.allowed(t, request), w.allowed(t, request)
	for i, want := range []int64{1, 0} {
		if err := []*throttle.Reservation{second, first}[i].Refund(t.Context()); err != nil {
			t.Fatal(err)
		}
		if got := used(t, w, request)["shadow"]; got != want {
			t.Errorf("used %d, want %d", got, want)
		}
	}
}

// envoy#1077, #1230: refused, then refunded: the next call is asked anew.
func TestRefusedThenRefunded(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	request := throttle.Request{Rules: compile(t, typical(), "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	res := w.allowed(t, request)
	w.refused(t, request)
	if err := res.Refund(t.Context()); err != nil {
		t.Fatal(err)
	}
	w.allowed(t, request)
}

// What is rooted in the phone is given back, the address's stays: so a stranger pays for numbers that can't be reached.
func TestRefundByKind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	request := throttle.Request{Rules: compile(t, typical(), "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	res := w.allowed(t, request)
	for range 3 {
		if err := res.Refund(t.Context(), throttle.Phone); err != nil {
			t.Fatal(err)
		}
	}
	want := map[string]int64{
		"phone-hour": 0, "phone-day": 0, "ip-burst": 1, "net-hour": 1, "total-hour": 1, "guesses": 0,
		"login/cooldown": 0, "login/hour": 0, "login/hour-source": 0,
	}
	if got := used(t, w, request); !maps.Equal(got, want) {
		t.Errorf("used %v, want %v", got, want)
	}
	if err := res.Refund(t.Context()); err != nil {
		t.Fatal(err)
	}
	for rule, n := range used(t, w, request) {
		if n != 0 {
			t.Errorf("%s: used %d", rule, n)
		}
	}
}

func TestReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := typical()
	rules = append(rules, throttle.Rule{Name: "shadow", By: []throttle.Kind{throttle.Phone}, Limit: 5, Window: time.Hour, Mode: throttle.Shadow})
	request := throttle.Request{Rules: compile(t, rules, "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	other := throttle.Request{Rules: request.Rules, Scene: "login", Subjects: subjectsOf(nobody, "192.0.2.1")}
	w.allowed(t, request)
	w.allowed(t, other)
	if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.Phone, ID: victim}); err != nil {
		t.Fatal(err)
	}
	for rule, n := range used(t, w, request) {
		if rooted := rule != "ip-burst" && rule != "net-hour" && rule != "total-hour"; rooted && n != 0 || !rooted && n != 2 {
			t.Errorf("%s: used %d", rule, n)
		}
	}
	w.refused(t, other)
	if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.IPNet, ID: "192.0.2.0/24"}); err != nil {
		t.Fatal(err)
	}
	if got := used(t, w, request); got["ip-burst"] != 0 || got["net-hour"] != 0 || got["total-hour"] != 2 {
		t.Errorf("used %v", got)
	}
	if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.IP, ID: "192.0.2.1"}); err == nil {
		t.Error("an address alone tags nothing")
	}
}
