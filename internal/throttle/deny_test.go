package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

func TestHotRefusalsCostNoTrip(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	w.asks(t, 0, func() {
		for n := range 1999 {
			w.clock.Advance(time.Millisecond)
			want := throttle.Decision{Rule: "login/cooldown", Used: 1, Limit: 1, RetryAfter: time.Minute - time.Duration(n+1)*time.Millisecond}
			if d := w.refused(t, request); d != want {
				t.Fatalf("%+v, want %+v", d, want)
			}
		}
	})
	// After two seconds the store is asked again, and answers the same.
	w.clock.Advance(time.Millisecond)
	w.asks(t, 1, func() {
		for range 10 {
			if d := w.refused(t, request); d.RetryAfter != 58*time.Second {
				t.Errorf("%+v", d)
			}
		}
	})
	w.clock.Advance(58 * time.Second)
	w.asks(t, 1, func() { w.allowed(t, request) })
}

// A deadline within the two seconds is kept to the millisecond.
func TestDenialEndsWithItsDeadline(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	w.clock.Advance(59 * time.Second)
	w.refused(t, request)
	w.clock.Advance(999 * time.Millisecond)
	w.asks(t, 0, func() { w.refused(t, request) })
	w.clock.Advance(time.Millisecond)
	w.allowed(t, request)
}

// A full shadow rule makes no entry, and does not keep one from being found.
func TestShadowRulesMakeNoDenial(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	phone := []throttle.Kind{throttle.Phone}
	rules := []throttle.Rule{
		{Name: "shadow", By: phone, Limit: 1, Window: time.Hour, Mode: throttle.Shadow},
		{Name: "two", By: phone, Limit: 2, Window: time.Minute},
	}
	request := throttle.Request{Rules: compile(t, rules, "login"), Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	w.asks(t, 2, func() { w.allowed(t, request); w.allowed(t, request) })
	w.asks(t, 0, func() {
		if d := w.refused(t, request); d.Rule != "two" || d.RetryAfter != time.Minute {
			t.Errorf("%+v", d)
		}
	})
	if p := prepared(t, w, request); p.Known().(*throttle.Denied).Rule != "two" {
		t.Error("the shadow rule's wait is told")
	}
	request.Rules = compile(t, rules[:1], "login")
	w.asks(t, 3, func() { w.allowed(t, request); w.allowed(t, request); w.allowed(t, request) })
}

// A clock that steps back does not hold a denial for the whole step.
func TestDenialAndAClockThatStepsBack(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	w.clock.Advance(-time.Hour)
	w.asks(t, 1, func() { w.refused(t, request) })
}

// A store that can't tell makes no entry; one that has told needs not be there to refuse.
func TestOutageMakesNoDenial(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 3 {
		if _, err := w.Reserve(ended, request); !errors.Is(err, throttle.ErrUnavailable) {
			t.Fatal(err)
		}
	}
	w.allowed(t, request)
	var d *throttle.Denied
	if _, err := w.Reserve(ended, request); !errors.As(err, &d) {
		t.Error(err)
	}
}

func TestDenyMetrics(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	for range 3 {
		w.refused(t, request)
	}
	if err := testutil.GatherAndCompare(w.registry, strings.NewReader(`
# HELP smsd_throttle_deny_hits_total Events refused from the deny cache, without asking the store, by the rule that refuses for longest.
# TYPE smsd_throttle_deny_hits_total counter
smsd_throttle_deny_hits_total{rule="login/cooldown"} 3
`), "smsd_throttle_deny_hits_total"); err != nil {
		t.Error(err)
	}
}

// With more refusals than the cache has places, entries are lost, which costs a trip; no answer changes.
func TestCrowdedDenyCache(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	w.trips.Store = memstore.NewCounters(memstore.Options{Clock: w.clock})
	rules := compile(t, []throttle.Rule{{Name: "one", By: []throttle.Kind{throttle.Device}, Limit: 1, Window: time.Minute}}, "login")
	of := func(n int) throttle.Request {
		return throttle.Request{Rules: rules, Scene: "login", Subjects: []throttle.Subject{{Kind: throttle.Device, ID: fmt.Sprint(n)}}}
	}
	const crowd = 40_000
	for n := range crowd {
		w.allowed(t, of(n))
	}
	before := w.trips.takes.Load()
	for n := range crowd {
		if d := w.refused(t, of(n)); d.RetryAfter != time.Minute {
			t.Fatalf("%+v", d)
		}
	}
	if lost := w.trips.takes.Load() - before; lost < crowd/10 || lost == crowd {
		t.Errorf("the store was asked %d times of %d", lost, crowd)
	}
}
