package throttle_test

import (
	"testing"
	"time"

	"smsd/internal/throttle"
)

// A number that is hammered is refused, and a rule of its address that lets it pass blames nobody.
func TestRuleThatRefusesNothingBlamesNobody(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := compile(t, []throttle.Rule{
		{Name: "number", By: []throttle.Kind{throttle.Phone}, Limit: 1, Window: time.Hour},
		{Name: "address", By: []throttle.Kind{throttle.IP}, Limit: 1000, Window: time.Hour},
	}, "login")
	w.allowed(t, attack(rules, 1))
	for range 8 {
		w.clock.Advance(2 * time.Second) // so that the store refuses, and not the deny cache
		w.refused(t, attack(rules, 1))
	}
	for range 10 {
		w.refused(t, attack(rules, 1))
	}
	if err := w.Blocked(attack(rules, 2)); err != nil {
		t.Error(err)
	}
}

// Somebody behind a shared address goes on with one number, which the rules refuse from there with its neighbours or its country:
// that is no reason to refuse the others at the address, who ask for other numbers.
func TestNumbersOfAnAddressDoNotBlockIt(t *testing.T) {
	t.Parallel()
	for _, kind := range []throttle.Kind{throttle.Prefix, throttle.Country} {
		for _, of := range []throttle.Kind{throttle.IP, throttle.Device} {
			w := newDenyWorld(t)
			rules := onePer(t, of, kind)
			to := func(near string) throttle.Request {
				r := attack(rules, 1)
				r.Subjects = append(r.Subjects, throttle.Subject{Kind: kind, ID: near})
				return r
			}
			w.allowed(t, to("his"))
			for range 10 {
				w.refused(t, to("his"))
			}
			w.allowed(t, to("others"))
		}
	}
}

// One request that two rules refuse is one refusal.
func TestTwoRulesAreOneRefusal(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	ip := []throttle.Kind{throttle.IP}
	rules := compile(t, []throttle.Rule{
		{Name: "minute", By: ip, Limit: 1, Window: time.Minute},
		{Name: "hour", By: ip, Limit: 1, Window: time.Hour},
		{Name: "many", By: []throttle.Kind{throttle.Phone}, Limit: 1000, Window: time.Minute},
	}, "login")
	w.allowed(t, attack(rules, 0))
	w.asks(t, 5, func() { w.hammer(t, rules, 10) })
}

// envoy#1077: a block depends on the tag of whom it blames, not on that of the first subject of its requests.
func TestBlockEndsWithItsOwnSubject(t *testing.T) {
	t.Parallel()
	one := throttle.Rule{Name: "one", By: []throttle.Kind{throttle.IP}, Limit: 1, Window: time.Minute}
	many := throttle.Rule{Name: "many", By: []throttle.Kind{throttle.Phone}, Limit: 1000, Window: time.Minute}
	for _, order := range [][]throttle.Rule{{one, many}, {many, one}} {
		w := newDenyWorld(t)
		rules := compile(t, order, "login")
		w.allowed(t, attack(rules, 0))
		w.hammer(t, rules, 5)
		if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.Phone, ID: "+8613800000005"}); err != nil {
			t.Fatal(err)
		}
		if w.Blocked(attack(rules, 2)) == nil {
			t.Errorf("%s first: a reset of a number ends the block of its address", order[0].Name)
		}
		if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.IPNet, ID: "192.0.2.0/24"}); err != nil {
			t.Fatal(err)
		}
		if err := w.Blocked(attack(rules, 2)); err != nil {
			t.Errorf("%s first: %v", order[0].Name, err)
		}
	}
}

// A device is blocked wherever it goes, and nothing else is: not the others at its addresses, nor the address by whose
// name it calls itself.
func TestDeviceIsBlockedByItself(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.Device)
	at := func(client, device string) throttle.Request {
		r := throttle.Request{Rules: rules, Scene: "login", Block: blockLength}
		r.Subjects = append(subjectsOf(victim, client), throttle.Subject{Kind: throttle.Device, ID: device})
		return r
	}
	w.allowed(t, at("192.0.2.1", "203.0.113.9"))
	for range 5 {
		w.refused(t, at("192.0.2.1", "203.0.113.9"))
	}
	if w.Blocked(at("198.51.100.7", "203.0.113.9")) == nil {
		t.Error("the device is not blocked at another address")
	}
	for _, other := range []throttle.Request{at("192.0.2.1", "another"), at("203.0.113.9", "another")} {
		if err := w.Blocked(other); err != nil {
			t.Error(err)
		}
	}
}
