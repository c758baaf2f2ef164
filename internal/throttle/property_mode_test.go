package throttle_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"smsd/internal/throttle"
)

// changing is a log rule whose mode changes, perhaps beside an enforced one on the same subject, and the naive list of
// what happened.
type changing struct {
	world
	rules  []throttle.Rule // the changing one first
	events []charged
	now    time.Duration
}

// charged is an event that was allowed.
type charged struct {
	*throttle.Reservation
	at        time.Duration
	shadow    bool // counted by the rule in shadow
	beyond    bool // which would have refused it
	givenBack bool
}

func (c *changing) rule() *throttle.Rule { return &c.rules[0] }

// used is what the rule must count in its mode. One that is enforced counts what it charged in either mode, and what an
// enforced rule beside it did; one in shadow what it charged there.
func (c *changing) used() (n int64) {
	for _, e := range c.events {
		if e.givenBack || e.at <= c.now-c.rule().Window {
			continue
		}
		switch {
		case c.rule().Mode == throttle.Shadow && e.shadow && !e.beyond:
			n++
		case c.rule().Mode == throttle.Enforce && (!e.beyond || len(c.rules) > 1):
			n++
		}
	}
	return n
}

func (c *changing) request(t *rapid.T) throttle.Request {
	rules, err := throttle.Compile(c.rules, []string{"login"})
	if err != nil {
		t.Fatal(err)
	}
	return throttle.Request{Rules: rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
}

func (c *changing) Reserve(t *rapid.T) {
	used, shadow := c.used(), c.rule().Mode == throttle.Shadow
	full := used >= c.rule().Limit
	res, err := c.Limiter.Reserve(context.Background(), c.request(t))
	var denied *throttle.Denied
	switch {
	case err == nil && (shadow || !full):
		c.events = append(c.events, charged{Reservation: res, at: c.now, shadow: shadow, beyond: shadow && full})
	case errors.As(err, &denied) && !shadow && full:
		if denied.Used != used {
			t.Fatalf("%d used, want %d", denied.Used, used)
		}
		c.waits(t, denied.RetryAfter)
	default:
		t.Fatalf("%v with %d used of %d, in shadow %v", err, used, c.rule().Limit, shadow)
	}
}

// waits checks that after the wait the list has room, and a millisecond earlier not.
func (c *changing) waits(t *rapid.T, wait time.Duration) {
	then := *c
	then.now += wait
	if then.used() >= c.rule().Limit {
		t.Fatalf("after %s there is no room", wait)
	}
	if then.now -= time.Millisecond; then.used() < c.rule().Limit {
		t.Fatalf("before %s there is room", wait)
	}
}

func (c *changing) Refund(t *rapid.T) {
	if len(c.events) == 0 {
		t.Skip("nothing to refund")
	}
	e := &c.events[rapid.IntRange(0, len(c.events)-1).Draw(t, "reservation")]
	if err := e.Refund(context.Background()); err != nil {
		t.Fatal(err)
	}
	e.givenBack = true
}

func (c *changing) Advance(t *rapid.T) {
	d := time.Duration(rapid.Int64Range(0, 25_000).Draw(t, "ms")) * time.Millisecond
	c.clock.Advance(d)
	c.now += d
}

func (c *changing) Change(*rapid.T) {
	c.rule().Mode ^= throttle.Shadow // Enforce is 0
}

// A log rule that goes from one mode to the other and back, at any time, is the naive list's: what it charged in shadow
// holds when it is enforced, once, for as long as its window, and what it charged when enforced is not held against
// the shadow.
func TestModesAgreeWithANaiveList(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		phone := []throttle.Kind{throttle.Phone}
		c := &changing{world: newWorld(t), rules: []throttle.Rule{
			{Name: "changing", By: phone, Limit: rapid.Int64Range(1, 4).Draw(rt, "limit"), Window: time.Minute, Algorithm: throttle.Log},
		}}
		if rapid.Bool().Draw(rt, "beside another") {
			c.rules = append(c.rules, throttle.Rule{Name: "other", By: phone, Limit: 1000, Window: time.Minute, Algorithm: throttle.Log})
		}
		rt.Repeat(map[string]func(*rapid.T){
			"reserve": c.Reserve, "reserve again": c.Reserve, "refund": c.Refund, "advance": c.Advance, "change": c.Change,
		})
	})
}
