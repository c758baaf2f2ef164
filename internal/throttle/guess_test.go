package throttle_test

import (
	"fmt"
	"testing"
	"time"

	"smsd/internal/throttle"
)

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
