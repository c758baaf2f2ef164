package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// typical is rules like the built-in policy's.
func typical() []throttle.Rule {
	phone, ip, net := []throttle.Kind{throttle.Phone}, []throttle.Kind{throttle.IP}, []throttle.Kind{throttle.IPNet}
	phoneScene := []throttle.Kind{throttle.Phone, throttle.Scene}
	return []throttle.Rule{
		{Name: "phone-hour", By: phone, Limit: 5, Window: time.Hour},
		{Name: "phone-day", By: phone, Limit: 10, Window: 24 * time.Hour},
		{Name: "ip-burst", By: ip, Limit: 25, Window: 5 * time.Minute},
		{Name: "net-hour", By: net, Limit: 200, Window: time.Hour},
		{Name: "total-hour", Limit: 10_000, Window: time.Hour},
		{Name: "verify-ip", By: ip, Limit: 60, Window: time.Minute, On: throttle.Verify},
		{Name: "guesses", By: phoneScene, Limit: 10, Window: time.Hour, On: throttle.Guess},
		{Name: "cooldown", By: phoneScene, Scene: "login", Limit: 1, Window: time.Minute},
		{Name: "hour", By: phoneScene, Scene: "login", Limit: 4, Window: time.Hour},
		{Name: "hour-source", By: []throttle.Kind{throttle.Phone, throttle.Scene, throttle.IPNet}, Scene: "login", Limit: 3, Window: time.Hour},
	}
}

func (w world) allowed(t testing.TB, r throttle.Request) *throttle.Reservation {
	t.Helper()
	res, err := w.Reserve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func (w world) refused(t testing.TB, r throttle.Request) throttle.Decision {
	t.Helper()
	res, err := w.Reserve(t.Context(), r)
	var d *throttle.Denied
	if !errors.As(err, &d) || res != nil {
		t.Fatalf("got %v, want a refusal", err)
	}
	return d.Decision
}

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

// A spent guess budget refuses new sends of that scene, and nothing else (kratos PR 4606).
func TestGuessesRefuseSends(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := compile(t, typical(), "login", "register")
	login := throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	for range 12 {
		guess := login
		guess.Event = throttle.Guess
		if err := w.Charge(t.Context(), guess); err != nil {
			t.Fatal(err)
		}
	}
	if d := w.refused(t, login); d.Rule != "guesses" || d.Used != 12 || d.Limit != 10 {
		t.Errorf("%+v", d)
	}
	register := login
	register.Scene = "register"
	w.allowed(t, register)
}

// A stranger who exhausts a victim's limits from elsewhere refuses sends, never the check of a live code
// (ezauth#196, identity-idp#2388, dearmep#162).
func TestVictimsCodeStillVerifies(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := compile(t, typical(), "login")
	for n := range 300 {
		stranger := throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, fmt.Sprintf("198.51.100.%d", n%256))}
		_, _ = w.Reserve(t.Context(), stranger)
		stranger.Event = throttle.Guess
		if err := w.Charge(t.Context(), stranger); err != nil {
			t.Fatal(err)
		}
		w.clock.Advance(time.Second)
	}
	w.refused(t, throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")})
	w.allowed(t, throttle.Request{Rules: rules, Event: throttle.Verify, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")})
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

// AspNetCoreRateLimit#32, authelia#13151: 10,000 addresses of one /64 are one host, and ::ffff:1.2.3.4 is 1.2.3.4.
func TestOneBucketForAHost(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := compile(t, typical()[2:3], "login")
	from := func(client string) throttle.Request {
		return throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, client)}
	}
	passed := 0
	for n := range 10_000 {
		if _, err := w.Reserve(t.Context(), from(fmt.Sprintf("2001:db8:1:2:%x::%x", n, n))); err == nil {
			passed++
		}
	}
	if passed != 25 {
		t.Errorf("%d passed, want 25", passed)
	}
	for range 25 {
		w.allowed(t, from("1.2.3.4"))
	}
	w.refused(t, from("::ffff:1.2.3.4"))
}

// limiters#48: odd names have buckets of their own.
func TestOddIDs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := []throttle.Rule{{Name: "a", By: []throttle.Kind{throttle.Device, throttle.Scene}, Limit: 1, Window: time.Hour}}
	odd := []string{"a{x}b", "a{x}", "{x}b", "}", "", "a", " a", "a\x00", strings.Repeat("a", 100_000)}
	set := compile(t, rules, "a{x}b", "}{", "登录")
	for _, scene := range []string{"a{x}b", "}{", "登录"} {
		for _, id := range odd {
			if id == "" {
				continue
			}
			r := throttle.Request{Rules: set, Scene: scene, Subjects: []throttle.Subject{{Kind: throttle.Device, ID: id}}}
			w.allowed(t, r)
			w.refused(t, r)
		}
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

// Nothing that is printed of a refusal or a request holds who it was about.
func TestNothingPersonalIsPrinted(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	request := throttle.Request{Rules: compile(t, typical(), "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	w.allowed(t, request)
	_, err := w.Reserve(t.Context(), request)
	for _, text := range []string{err.Error(), fmt.Sprintf("%+v", err), fmt.Sprintf("%+v", request.Subjects), fmt.Sprintf("%#v", request.Subjects)} {
		if strings.Contains(text, "8000") || strings.Contains(text, "192.0") {
			t.Error(text)
		}
	}
}
