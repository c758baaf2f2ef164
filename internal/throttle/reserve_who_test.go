package throttle_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"smsd/internal/throttle"
)

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
