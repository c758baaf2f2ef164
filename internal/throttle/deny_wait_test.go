package throttle_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// What is known of a number from one address does not refuse another: that one's own rules may refuse for longer.
func TestWaitIsOfAllRules(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	crowded := cooldown(t, "198.51.100.1")
	for n := range 25 {
		crowded.Subjects = subjectsOf(fmt.Sprintf("+86139001390%02d", n), "198.51.100.1")
		w.allowed(t, crowded)
	}
	first := throttle.Request{Rules: crowded.Rules, Scene: "login", Subjects: subjectsOf(victim, "192.0.2.1")}
	w.allowed(t, first)
	w.refused(t, first)
	crowded.Subjects = subjectsOf(victim, "198.51.100.1")
	if d := w.refused(t, crowded); d.Rule != "ip-burst" {
		t.Errorf("%+v", d)
	}
}

// While a refusal is repeated, another scene fills what both share: the longer wait is told.
func TestWaitThatHasGrown(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	login, register := cooldown(t, "192.0.2.1"), throttle.Request{}
	register = login
	register.Scene = "register"
	w.allowed(t, login)
	for range 4 {
		w.allowed(t, register)
	}
	w.asks(t, 0, func() {
		if d := w.refused(t, login); d.Rule != "phone-hour" || d.RetryAfter != time.Hour {
			t.Errorf("%+v", d)
		}
	})
}

// Beyond the two seconds a deadline refuses nobody, but it is told: to every request with such a subject, and to who
// knows only the name of one.
func TestKnownWaits(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	first, other := cooldown(t, "192.0.2.1"), throttle.Request{}
	other = first
	other.Subjects = subjectsOf(victim, "198.51.100.1")
	p := prepared(t, w, first)
	p.As("the first")
	res, err := p.Reserve(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	w.clock.Advance(10 * time.Second)
	tells := func(what string, err error, want time.Duration) {
		t.Helper()
		var d *throttle.Denied
		if errors.As(err, &d) != (want > 0) || want > 0 && d.RetryAfter != want {
			t.Errorf("%s: %v, want %s", what, err, want)
		}
	}
	tells("denied", prepared(t, w, first).Denied(), 0)
	tells("the same", prepared(t, w, first).Known(), 50*time.Second)
	tells("from another address", prepared(t, w, other).Known(), 50*time.Second)
	tells("by name", w.Known(first.Rules, "the first"), 50*time.Second)
	tells("by name, other rules", w.Known(compile(t, typical(), "login"), "the first"), 0)
	tells("by another name", w.Known(first.Rules, "the second"), 0)
	if err := res.Refund(t.Context()); err != nil {
		t.Fatal(err)
	}
	tells("refunded", prepared(t, w, other).Known(), 0)
	tells("refunded, by name", w.Known(first.Rules, "the first"), 0)
}

// A guess by force refuses the next sends of the scene, at once and for its whole wait.
func TestGuessesAreKnown(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	guess := request
	guess.Event = throttle.Guess
	w.allowed(t, request)
	for range 10 {
		if err := w.Charge(t.Context(), guess); err != nil {
			t.Fatal(err)
		}
	}
	if d := w.refused(t, request); d.Rule != "guesses" || d.RetryAfter != time.Hour {
		t.Errorf("%+v", d)
	}
}
