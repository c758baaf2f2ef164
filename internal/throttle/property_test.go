package throttle_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"smsd/internal/throttle"
)

// Whatever happens, refunds and changes of the rules included, every answer is the naive list's: so no window has more
// than the limit, a refusal and a shadow rule change nothing, a wait is enough and no longer than it must be, and a refund
// gives back what was charged. With a deny cache in front too.
func TestLimiterAgreesWithANaiveList(t *testing.T) {
	t.Parallel()
	for _, cached := range []bool{false, true} {
		t.Run(fmt.Sprintf("cached %v", cached), func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(rt *rapid.T) {
				m := newMachine(rt, t)
				if m.cached = cached; cached {
					m.world = newDenyWorld(t).world
				}
				rt.Repeat(map[string]func(*rapid.T){
					"reserve": m.Reserve, "reserve again": m.Reserve, "charge": m.Charge, "inspect": m.Inspect,
					"refund": m.Refund, "advance": m.Advance, "change": m.Change,
				})
			})
		})
	}
}

// A shadow rule changes no answer: with the shadow rules and without them, the same history has the same answers.
func TestShadowRulesChangeNoAnswer(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		with, without := newMachine(rt, t), &machine{world: newWorld(t)}
		if rapid.Bool().Draw(rt, "cached") {
			with.world, without.world = newDenyWorld(t).world, newDenyWorld(t).world
		}
		for _, r := range with.model.rules {
			if r.Mode != throttle.Shadow {
				without.model.rules = append(without.model.rules, r)
			}
		}
		without.compile(rt)
		rt.Repeat(map[string]func(*rapid.T){
			"reserve": func(rt *rapid.T) {
				e := drawEvent(rt, throttle.Send)
				a, errA := with.Limiter.Reserve(context.Background(), with.request(e))
				b, errB := without.Limiter.Reserve(context.Background(), without.request(e))
				if !reflect.DeepEqual(asTold(errA), asTold(errB)) || errA == nil && a.Wait() != b.Wait() {
					rt.Fatalf("with shadow rules %v, without %v", errA, errB)
				}
			},
			"advance": func(rt *rapid.T) {
				d := time.Duration(rapid.Int64Range(1, 20_000).Draw(rt, "ms")) * time.Millisecond
				with.clock.Advance(d)
				without.clock.Advance(d)
			},
		})
	})
}

// Refunds give back just what was charged: many of one reservation, at once, give back one event.
func TestParallelRefundsAreOne(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rules := compile(t, []throttle.Rule{
		{Name: "log", By: []throttle.Kind{throttle.Phone}, Limit: 50, Window: time.Hour},
		{Name: "counter", By: []throttle.Kind{throttle.Phone}, Limit: 500, Window: time.Hour},
		{Name: "total", Limit: 500, Window: time.Hour},
	}, "login")
	request := throttle.Request{Rules: rules, Scene: "login", Subjects: []throttle.Subject{{Kind: throttle.Phone, ID: "+8613800138000"}}}
	var last *throttle.Reservation
	for range 5 {
		var err error
		if last, err = w.Reserve(t.Context(), request); err != nil {
			t.Fatal(err)
		}
	}
	together(100, func(i int) {
		var kinds []throttle.Kind
		if i%2 == 0 {
			kinds = []throttle.Kind{throttle.Phone}
		}
		if err := last.Refund(context.Background(), kinds...); err != nil {
			t.Error(err)
		}
	})
	want := map[string]int64{"log": 4, "counter": 4, "total": 4}
	if got := used(t, w, request); !maps.Equal(got, want) {
		t.Errorf("used %v, want %v", got, want)
	}
}
