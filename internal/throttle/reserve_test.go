package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

func TestReserve(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	request := throttle.Request{Rules: compile(t, typical(), "login", "register"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	if wait := w.allowed(t, request).Wait(); wait != time.Minute {
		t.Errorf("wait %s, want the cooldown's", wait)
	}
	d := w.refused(t, request)
	if d != (throttle.Decision{Rule: "login/cooldown", Used: 1, Limit: 1, RetryAfter: time.Minute}) {
		t.Errorf("%+v", d)
	}
	w.clock.Advance(time.Minute)
	w.allowed(t, request)
	w.clock.Advance(time.Minute)
	if wait := w.allowed(t, request).Wait(); wait != 58*time.Minute {
		t.Errorf("wait %s, want until the first leaves hour-source's window", wait)
	}
	// Two rules refuse: the longer wait is the one that is true.
	if d := w.refused(t, request); d.Rule != "login/hour-source" || d.RetryAfter != 58*time.Minute {
		t.Errorf("%+v", d)
	}
	want := map[string]int64{
		"phone-hour": 3, "phone-day": 3, "ip-burst": 3, "net-hour": 3, "total-hour": 3, "guesses": 0,
		"login/cooldown": 1, "login/hour": 3, "login/hour-source": 3,
	}
	if got := used(t, w, request); !maps.Equal(got, want) {
		t.Errorf("used %v, want %v", got, want)
	}
}

func TestUsages(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := typical()[:1]
	rules[0].Mode = throttle.Shadow
	request := throttle.Request{Rules: compile(t, rules, "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	u := w.allowed(t, request).Usages()
	if len(u) != 1 || u[0].Rule != "phone-hour" || u[0].Mode != throttle.Shadow || u[0].Used != 1 || u[0].Remaining() != 4 || u[0].Window != time.Hour {
		t.Errorf("%+v", u)
	}
}

// A shadow rule that would refuse for longer is not the one that refuses.
func TestShadowRuleIsNotNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	phone := []throttle.Kind{throttle.Phone}
	rules := compile(t, []throttle.Rule{
		{Name: "shadow", By: phone, Limit: 1, Window: time.Hour, Mode: throttle.Shadow},
		{Name: "minute", By: phone, Limit: 1, Window: time.Minute},
	}, "login")
	request := throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	if wait := w.allowed(t, request).Wait(); wait != time.Minute {
		t.Errorf("wait %s", wait)
	}
	if d := w.refused(t, request); d.Rule != "minute" || d.RetryAfter != time.Minute {
		t.Errorf("%+v", d)
	}
}

// go-redisstore#10, APIcast#667, boulder#8785: exhaust, raise, call: allowed at once, then refused with the new limit.
func TestRaisedLimit(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := typical()[:1]
	request := throttle.Request{Rules: compile(t, rules, "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	for range 5 {
		w.allowed(t, request)
	}
	if d := w.refused(t, request); d.Limit != 5 {
		t.Errorf("%+v", d)
	}
	rules[0].Limit = 7
	request.Rules = compile(t, rules, "login")
	w.allowed(t, request)
	w.allowed(t, request)
	if d := w.refused(t, request); d.Limit != 7 || d.Used != 7 {
		t.Errorf("%+v", d)
	}
	rules[0].Limit = 500 // a counter now: what the log knows still counts
	request.Rules = compile(t, rules, "login")
	if got := used(t, w, request)["phone-hour"]; got != 7 {
		t.Errorf("used %d, want 7", got)
	}
}

// boulder#7886, #7780, #8674: 200 parallel first calls.
func TestParallelReserves(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := compile(t, typical()[:5], "login", "register")
	passed := make([]bool, 200)
	together(len(passed), func(i int) {
		r := throttle.Request{Rules: rules, Scene: []string{"login", "register"}[i%2], Subjects: subjectsOf(victim, fmt.Sprintf("192.0.2.%d", i))}
		_, err := w.Reserve(context.Background(), r)
		passed[i] = err == nil
	})
	n := 0
	for _, p := range passed {
		if p {
			n++
		}
	}
	if n != 5 {
		t.Errorf("%d passed, want 5", n)
	}
}

// httprate#62, mettle#309: a client that hung up before is not charged, and it is no refusal.
func TestEndedContext(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	request := throttle.Request{Rules: compile(t, typical(), "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Reserve(ctx, request); !errors.Is(err, throttle.ErrUnavailable) {
		t.Error(err)
	}
	if err := w.Charge(ctx, request); !errors.Is(err, throttle.ErrUnavailable) {
		t.Error(err)
	}
	if _, err := w.Inspect(ctx, request); !errors.Is(err, throttle.ErrUnavailable) {
		t.Error(err)
	}
	w.allowed(t, request)
}

func TestRequestsThatCanNotBe(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := compile(t, typical(), "login")
	for name, r := range map[string]throttle.Request{
		"no rules":         {Scene: "login"},
		"an unknown scene": {Rules: rules, Scene: "nowhere"},
		"an unknown event": {Rules: rules, Scene: "login", Event: throttle.Events},
	} {
		var d *throttle.Denied
		if _, err := w.Reserve(t.Context(), r); err == nil || errors.As(err, &d) || errors.Is(err, throttle.ErrUnavailable) {
			t.Errorf("%s: %v", name, err)
		}
	}
	res, err := w.Reserve(t.Context(), throttle.Request{Rules: compile(t, nil, "login"), Scene: "login"})
	if err != nil || res.Wait() != 0 || len(res.Usages()) != 0 || res.Refund(t.Context()) != nil {
		t.Errorf("without rules everything is allowed: %v", err)
	}
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	store := memstore.NewCounters(memstore.Options{})
	for _, o := range []throttle.Options{{IndexSecret: secret}, {Store: store}, {Store: store, IndexSecret: secret[:31]}} {
		if _, err := throttle.New(o); err == nil {
			t.Errorf("%d bytes of secret: no error", len(o.IndexSecret))
		}
	}
}
