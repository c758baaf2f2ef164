package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/throttle"
)

const blockLength = 30 * time.Second

// onePer are rules of one send a minute for each subject of the kinds. Numbers are counted too, so that the deny cache
// takes no request for that of another number.
func onePer(t testing.TB, kinds ...throttle.Kind) *throttle.RuleSet {
	return compile(t, []throttle.Rule{
		{Name: "one", By: kinds, Limit: 1, Window: time.Minute},
		{Name: "many", By: []throttle.Kind{throttle.Phone}, Limit: 1000, Window: time.Minute},
	}, "login", "register")
}

// attack is the n-th number from one address and one device.
func attack(rules *throttle.RuleSet, n int) throttle.Request {
	subjects := append(subjectsOf(fmt.Sprintf("+86138%08d", n), "192.0.2.1"), throttle.Subject{Kind: throttle.Device, ID: "phone of a thief"})
	return throttle.Request{Rules: rules, Scene: "login", Subjects: subjects, Block: blockLength}
}

// hammer is refused times times, each time for another number.
func (w *denyWorld) hammer(t testing.TB, rules *throttle.RuleSet, times int) (last throttle.Decision) {
	t.Helper()
	for range times {
		w.numbers++
		last = w.refused(t, attack(rules, w.numbers))
	}
	return last
}

// Who tries one number after another costs five trips to the store for each block, and is told the truth.
func TestFiveRefusalsBlock(t *testing.T) {
	t.Parallel()
	for _, kind := range []throttle.Kind{throttle.IP, throttle.Device} {
		w := newDenyWorld(t)
		rules := onePer(t, kind)
		w.allowed(t, attack(rules, 0))
		w.clock.Advance(45 * time.Second)
		w.asks(t, 5, func() {
			if d := w.hammer(t, rules, 4); d.Rule != "one" || d.RetryAfter != 15*time.Second {
				t.Errorf("%s: the fourth: %+v", kind, d)
			}
			if d := w.hammer(t, rules, 1); d.Rule != throttle.LocalBlock || d.RetryAfter != blockLength {
				t.Errorf("%s: the fifth: %+v", kind, d)
			}
		})
		w.clock.Advance(time.Second)
		w.asks(t, 0, func() {
			if d := w.hammer(t, rules, 100); d != (throttle.Decision{Rule: throttle.LocalBlock, Used: 5, Limit: 5, RetryAfter: 29 * time.Second}) {
				t.Errorf("%s: blocked: %+v", kind, d)
			}
		})
		// What was refused meanwhile has not prolonged it, to the millisecond.
		w.clock.Advance(29*time.Second - time.Millisecond)
		w.asks(t, 0, func() { w.hammer(t, rules, 1) })
		w.clock.Advance(time.Millisecond)
		w.allowed(t, attack(rules, 0))
		w.asks(t, 5, func() { w.hammer(t, rules, 50) })
	}
}

// A block is told with the longer wait that is known of the request.
func TestBlockTellsTheLongerWait(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	if d := w.hammer(t, rules, 5); d.Rule != "one" || d.RetryAfter != time.Minute {
		t.Errorf("the fifth: %+v", d)
	}
	w.clock.Advance(10 * time.Second)
	if d := w.hammer(t, rules, 1); d.Rule != "one" || d.RetryAfter != 50*time.Second {
		t.Errorf("%+v", d)
	}
}

// What the deny cache repeats is a refusal like any other.
func TestRepeatedRefusalsBlock(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	w.asks(t, 1, func() {
		for range 4 {
			w.refused(t, attack(rules, 0))
		}
		w.hammer(t, rules, 1) // another number is not refused by the deny cache
	})
	w.asks(t, 0, func() { w.hammer(t, rules, 10) })
}

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

// Four refusals and a fifth are five within ten seconds only if they are.
func TestRefusalsWithinTenSeconds(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	w.hammer(t, rules, 1)
	w.clock.Advance(5 * time.Second)
	w.hammer(t, rules, 3)
	w.clock.Advance(5 * time.Second) // the first is ten seconds old
	w.asks(t, 2, func() { w.hammer(t, rules, 2) })
	w.asks(t, 0, func() { w.hammer(t, rules, 2) })

	w = newDenyWorld(t)
	w.allowed(t, attack(rules, 0))
	for range 20 { // one in 2.5 s, for ever
		w.clock.Advance(2500 * time.Millisecond)
		w.asks(t, 1, func() { w.hammer(t, rules, 1) })
	}
}

// envoy#1077, #1230: blocked, then given back, reset, or under other rules: the next call reaches the store.
func TestWhatEndsABlock(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(t *testing.T, w *denyWorld, res *throttle.Reservation, request *throttle.Request) error{
		"a refund": func(t *testing.T, w *denyWorld, res *throttle.Reservation, _ *throttle.Request) error {
			return res.Refund(t.Context(), throttle.IP)
		},
		"a reset of its network": func(t *testing.T, w *denyWorld, _ *throttle.Reservation, _ *throttle.Request) error {
			return w.Reset(t.Context(), throttle.Subject{Kind: throttle.IPNet, ID: "192.0.2.0/24"})
		},
		"a raised limit": func(t *testing.T, w *denyWorld, _ *throttle.Reservation, r *throttle.Request) error {
			r.Rules = compile(t, []throttle.Rule{
				{Name: "one", By: []throttle.Kind{throttle.IP}, Limit: 2, Window: time.Minute},
				{Name: "many", By: []throttle.Kind{throttle.Phone}, Limit: 1000, Window: time.Minute},
			}, "login")
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newDenyWorld(t)
			rules := onePer(t, throttle.IP)
			res := w.allowed(t, attack(rules, 0))
			w.hammer(t, rules, 5)
			if err := w.Reset(t.Context(), throttle.Subject{Kind: throttle.Phone, ID: victim}); err != nil { // is another's
				t.Fatal(err)
			}
			w.asks(t, 0, func() { w.hammer(t, rules, 1) })
			request := attack(rules, 0)
			if err := end(t, w, res, &request); err != nil {
				t.Fatal(err)
			}
			w.asks(t, 1, func() { w.allowed(t, request) })
			w.asks(t, 5, func() { w.hammer(t, request.Rules, 20) })
		})
	}
}

// Other rules that refuse as well are asked themselves, and the refusals of before count for nothing.
func TestRefusalsUnderAnotherPolicyVersion(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	for range 3 {
		w.hammer(t, rules, 4)
		rules = onePer(t, throttle.IP)
	}
	w.asks(t, 5, func() { w.hammer(t, rules, 10) })
}

// The refund comes between the store's fifth refusal and its being heard.
func TestRefundWhileTheFifthRefusalIsOnItsWay(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	res := w.allowed(t, attack(rules, 0))
	w.hammer(t, rules, 4)
	w.trips.answered = func() {
		w.trips.answered = nil
		if err := res.Refund(context.Background()); err != nil {
			t.Error(err)
		}
	}
	w.hammer(t, rules, 1)
	w.asks(t, 1, func() { w.allowed(t, attack(rules, 0)) })
}

// A shadow rule refuses nobody, and a verify neither counts nor is refused.
func TestWhatDoesNotBlock(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	ip := []throttle.Kind{throttle.IP}
	rules := compile(t, []throttle.Rule{
		{Name: "shadow", By: ip, Limit: 1, Window: time.Minute, Mode: throttle.Shadow},
		{Name: "all", Limit: 3, Window: time.Minute},
		{Name: "many", By: []throttle.Kind{throttle.Phone}, Limit: 1000, Window: time.Minute},
		{Name: "verifies", By: ip, Limit: 1, Window: time.Minute, On: throttle.Verify},
	}, "login")
	verify := attack(rules, 0)
	verify.Event = throttle.Verify
	w.allowed(t, verify)
	for range 10 {
		w.refused(t, verify)
	}
	for range 3 {
		w.allowed(t, attack(rules, 0))
	}
	if d := w.hammer(t, rules, 10); d.Rule != "all" || w.Blocked(attack(rules, 0)) != nil {
		t.Errorf("%+v", d)
	}
	rules = onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	off := attack(rules, 0)
	for n := range 14 {
		off = attack(rules, 500+n)
		off.Block = 0
		w.refused(t, off)
	}
	w.asks(t, 5, func() { w.hammer(t, rules, 10) })
	w.asks(t, 1, func() { off.Subjects = subjectsOf(nobody, "192.0.2.1"); w.refused(t, off) })
	verify = attack(rules, 0)
	verify.Event = throttle.Verify
	w.allowed(t, verify)
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

// A clock that steps back does not hold a block for the whole step.
func TestBlockAndAClockThatStepsBack(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	w.hammer(t, rules, 5)
	w.clock.Advance(-time.Hour)
	w.asks(t, 5, func() { w.hammer(t, rules, 10) })
}

func TestParallelRefusalsBlockOnce(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	together(64, func(i int) {
		for n := range 10 {
			if _, err := w.Reserve(context.Background(), attack(rules, i*100+n)); err == nil {
				t.Error("allowed")
			}
		}
	})
	w.asks(t, 0, func() { w.hammer(t, rules, 1) })
}

func TestBlockMetrics(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	w.hammer(t, rules, 5+3)
	if _, err := throttle.NewLocal(throttle.LocalOptions{Rate: 1, Burst: 1, IPRate: 1, IPBurst: 1, Registerer: w.registry}); err != nil {
		t.Error(err)
	}
	if err := testutil.GatherAndCompare(w.registry, strings.NewReader(`
# HELP smsd_throttle_local_refusals_total Events refused by the layers in front of the store.
# TYPE smsd_throttle_local_refusals_total counter
smsd_throttle_local_refusals_total{event="send",layer="local-block"} 3
`), "smsd_throttle_local_refusals_total"); err != nil {
		t.Error(err)
	}
}
