package throttle_test

import (
	"errors"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// A number is refused, or a pair, or a network, and not the address: nobody else behind it is blocked.
func TestOthersBehindTheAddressAreNotBlocked(t *testing.T) {
	t.Parallel()
	for name, by := range map[string][]throttle.Kind{
		"a phone":                         {throttle.Phone},
		"a phone's scene":                 {throttle.Phone, throttle.Scene},
		"a phone at an address":           {throttle.Phone, throttle.IP},
		"a phone and a device":            {throttle.Phone, throttle.Device},
		"a device at an address":          {throttle.IP, throttle.Device},
		"a network":                       {throttle.IPNet},
		"everybody":                       {},
		"a block of numbers of a network": {throttle.IPNet, throttle.Prefix},
	} {
		w := newDenyWorld(t)
		rules := onePer(t, by...)
		request := attack(rules, 1)
		request.Subjects = append(request.Subjects, throttle.Subject{Kind: throttle.Prefix, ID: "+8613800"})
		w.allowed(t, request)
		for range 20 {
			w.clock.Advance(2 * time.Second) // so that the store refuses, and not the deny cache
			if d := w.refused(t, request); d.Rule == throttle.LocalBlock {
				t.Fatalf("%s: %+v", name, d)
			}
		}
		for range 10 {
			w.refused(t, request)
		}
		if err := w.Blocked(request); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// An address that is refused beside a number is blocked whichever of both is told.
func TestAddressRefusedBesideANumber(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := compile(t, []throttle.Rule{
		{Name: "number", By: []throttle.Kind{throttle.Phone}, Limit: 1, Window: time.Hour},
		{Name: "address", By: []throttle.Kind{throttle.IP, throttle.Scene}, Limit: 1, Window: time.Minute},
	}, "login")
	w.allowed(t, attack(rules, 1))
	for range 5 {
		if d := w.refused(t, attack(rules, 1)); d.Rule != "number" {
			t.Errorf("%+v", d)
		}
	}
	if w.Blocked(attack(rules, 2)) == nil {
		t.Error("not blocked")
	}
}

// Another address, another device and another app are not blocked; another scene and all addresses of a /64 are.
func TestWhoIsBlocked(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	from := func(client, device, app string) throttle.Request {
		r := throttle.Request{Rules: rules, Scene: "login", Block: 10 * time.Minute}
		r.Subjects = append(subjectsOf(victim, client), throttle.Subject{Kind: throttle.Device, ID: device}, throttle.Subject{Kind: throttle.App, ID: app})
		return r
	}
	w.allowed(t, from("2001:db8::1", "a", "one"))
	for range 5 {
		w.refused(t, from("2001:db8::1", "a", "one"))
	}
	other := from("2001:db8::ffff:2", "b", "one")
	other.Scene = "register"
	var d *throttle.Denied
	if err := w.Blocked(other); !errors.As(err, &d) || d.RetryAfter != throttle.MaxBlock {
		t.Errorf("the same /64: %v", err)
	}
	for _, r := range []throttle.Request{from("2001:db8:0:1::1", "a", "one"), from("2001:db8::1", "a", "two"), {Rules: rules, Block: blockLength}} {
		if err := w.Blocked(r); err != nil {
			t.Error(err)
		}
	}
}
