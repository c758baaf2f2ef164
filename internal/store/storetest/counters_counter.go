package storetest

import (
	"time"

	"smsd/internal/throttle"
)

var counterTests = []countersTest{
	{"counter in its first bucket", counterFirst},
	{"counter weighs the previous bucket", counterWeighs},
	{"counter waits", counterWait},
	{"counter past its limit by force", counterForced},
	{"counter forgets after two windows", counterForgets},
	{"counter at the edge of a bucket", counterEdge},
	{"counters have records of their own", counterSlots},
	{"counter with the largest limit and window", counterLargest},
}

func counterFirst(b *countersBench) {
	g := group(phoneKey, plan(counterCell(4, time.Minute)))
	b.exhaust(3, g)
	b.clock.Advance(20 * time.Second)
	_, taken := b.allowed(g)
	// The bucket began with the first event: it is full for 40 s more, and then weighs 4·(60-w)/60 <= 3 at w = 15 s.
	want := throttle.Verdict{Used: 4, Wait: 55 * time.Second}
	if taken.Verdicts[0] != want {
		b.Fatalf("%+v, want %+v", taken.Verdicts[0], want)
	}
	b.passesAfter(want.Wait, g)
}

func counterWeighs(b *countersBench) {
	g := group(phoneKey, plan(counterCell(100, time.Minute)))
	b.exhaust(60, g)
	b.clock.Advance(75 * time.Second)
	b.uses(g, 45) // 60·45/60
	b.clock.Advance(time.Millisecond)
	b.uses(g, 45) // 44.999 rounded up
	b.allowed(g)
	b.uses(g, 46)
	b.clock.Advance(44999 * time.Millisecond)
	b.uses(g, 1) // its own bucket has rolled: 60·0/60 + 1·60/60
}

func counterWait(b *countersBench) {
	g := group(phoneKey, plan(counterCell(10, time.Minute)))
	b.exhaust(10, g)
	b.clock.Advance(61 * time.Second)
	b.refused(g) // 10·59/60 = 9.83 > 9
	b.passesAfter(5*time.Second, g)
	// 1 + 10·54/60 = 10: one more must wait until 10·r/60 <= 8.
	b.passesAfter(6*time.Second, g)
}

func counterForced(b *countersBench) {
	g := group(phoneKey, plan(counterCell(2, time.Minute)))
	for range 5 {
		b.force(g)
	}
	b.clock.Advance(10 * time.Second)
	wait := b.refused(g)[0].Wait
	if want := 50*time.Second + 48*time.Second; wait != want { // 5·(60-w)/60 <= 1 at w = 48 s
		b.Fatalf("wait %s, want %s", wait, want)
	}
	b.passesAfter(wait, g)
}

func counterForgets(b *countersBench) {
	g := group(phoneKey, plan(counterCell(3, time.Minute)))
	g.Plan.TTL = time.Hour // so that expiry can't do it
	b.exhaust(3, g)
	b.clock.Advance(2*time.Minute - time.Millisecond)
	b.uses(g, 1)
	for _, later := range []time.Duration{time.Millisecond, 2*time.Minute + 17*time.Second} {
		b.clock.Advance(later)
		b.uses(g, 0)
		b.exhaust(3, g) // in a bucket that starts now
		if wait := b.refused(g)[0].Wait; wait != 80*time.Second {
			b.Errorf("wait %s, want 1m20s", wait)
		}
	}
}

func counterEdge(b *countersBench) {
	g := group(phoneKey, plan(counterCell(9, time.Minute)))
	b.exhaust(4, g)
	b.clock.Advance(time.Minute)
	b.uses(g, 4)
	b.exhaust(2, g) // the next bucket's
	b.clock.Advance(59 * time.Second)
	b.uses(g, 3) // 2 + 4·1/60
	b.clock.Advance(31 * time.Second)
	b.uses(g, 1) // 2·30/60
}

func counterSlots(b *countersBench) {
	g := group(phoneKey, plan(
		slotted(counterCell(9, time.Minute), 7), slotted(counterCell(9, time.Minute), 1<<31+7), slotted(asked(counterCell(9, time.Hour)), 8)))
	b.exhaust(4, g)
	b.uses(g, 4, 4, 0)
	one := group(phoneKey, plan(slotted(counterCell(9, time.Minute), 7)))
	b.exhaust(2, one)
	b.uses(g, 6, 4, 0)
}

func counterLargest(b *countersBench) {
	g := group(phoneKey, plan(counterCell(throttle.MaxLimit, throttle.MaxWindow)))
	b.exhaust(3, g)
	b.clock.Advance(throttle.MaxWindow + throttle.MaxWindow/2)
	b.uses(g, 2)
	b.exhaust(2, g)
	b.uses(g, 4) // 2 + 3/2
	b.clock.Advance(throttle.MaxWindow/2 - time.Millisecond)
	b.uses(g, 3)
	b.clock.Advance(time.Millisecond)
	b.uses(g, 2)
}
