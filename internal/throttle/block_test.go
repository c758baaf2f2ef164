package throttle_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"smsd/internal/throttle"
)

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

// What is known of a request includes the block on who asks it, and asking for that counts no refusal.
func TestABlockIsKnown(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	rules := onePer(t, throttle.IP)
	w.allowed(t, attack(rules, 0))
	w.clock.Advance(45 * time.Second)
	w.hammer(t, rules, 5)
	quota, err := w.Prepare(attack(rules, 99))
	if err != nil {
		t.Fatal(err)
	}
	denied, refused := errors.AsType[*throttle.Denied](quota.Known())
	if !refused || denied.Rule != throttle.LocalBlock || denied.RetryAfter != blockLength {
		t.Errorf("known: %+v", denied)
	}
}
