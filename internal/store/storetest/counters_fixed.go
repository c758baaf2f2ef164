package storetest

import (
	"time"

	"smsd/internal/throttle"
)

var fixedTests = []countersTest{
	{"a fixed window begins with its first event", fixedFirst},
	{"a fixed window forgets all at its end", fixedEnds},
	{"a fixed window past its limit by force", fixedForced},
	{"fixed windows admit less than twice Limit in any window", fixedWorst},
	{"a fixed window that has ended is not read from the log beside it", fixedBesideLog},
	{"a fixed window whose events were all given back begins anew", fixedRefunded},
	{"a fixed with the largest limit and window", fixedLargest},
}

func fixedFirst(b *countersBench) {
	g := group(phoneKey, plan(fixedCell(2, time.Minute)))
	_, taken := b.allowed(g)
	if want := (throttle.Verdict{Used: 1}); taken.Verdicts[0] != want {
		b.Errorf("%+v, want %+v", taken.Verdicts[0], want)
	}
	b.clock.Advance(20 * time.Second)
	_, taken = b.allowed(g)
	if want := (throttle.Verdict{Used: 2, Wait: 40 * time.Second}); taken.Verdicts[0] != want {
		b.Errorf("%+v, want %+v", taken.Verdicts[0], want)
	}
	b.clock.Advance(17 * time.Second)
	if want, v := (throttle.Verdict{Used: 2, Wait: 23 * time.Second, Refused: true}), b.refused(g)[0]; v != want {
		b.Errorf("%+v, want %+v", v, want)
	}
	b.passesAfter(23*time.Second, g)
	b.uses(g, 1)
}

func fixedEnds(b *countersBench) {
	g := group(phoneKey, plan(fixedCell(3, time.Minute)))
	g.Plan.TTL = time.Hour // so that expiry can't do it
	b.exhaust(3, g)
	b.clock.Advance(time.Minute - time.Millisecond)
	b.uses(g, 3)
	for _, later := range []time.Duration{time.Millisecond, time.Minute, 2*time.Minute + 17*time.Second} {
		b.clock.Advance(later)
		b.uses(g, 0)
		b.exhaust(3, g) // in a window that starts now, not one after the other
		if wait := b.refused(g)[0].Wait; wait != time.Minute {
			b.Errorf("wait %s, want 1m", wait)
		}
	}
}

func fixedForced(b *countersBench) {
	g := group(phoneKey, plan(fixedCell(2, time.Minute)))
	for i := range int64(5) {
		if _, taken := b.force(g); taken.Verdicts[0].Used != i+1 || taken.Verdicts[0].Refused != (i >= 2) {
			b.Errorf("%d: %+v", i, taken.Verdicts[0])
		}
	}
	b.clock.Advance(10 * time.Second)
	b.passesAfter(50*time.Second, g)
}

// One event opens a window, the rest come at its end, as many at the next one's beginning.
func fixedWorst(b *countersBench) {
	g := group(phoneKey, plan(fixedCell(5, time.Minute)))
	b.allowed(g)
	b.clock.Advance(time.Minute - time.Millisecond)
	b.exhaust(4, g)
	b.refused(g)
	b.clock.Advance(time.Millisecond)
	b.exhaust(5, g)
	b.refused(g) // 9 in a millisecond
}

func fixedBesideLog(b *countersBench) {
	g := group(phoneKey, plan(fixedCell(2, time.Minute), slotted(logCell(100, time.Hour), 2)))
	b.allowed(g)
	b.clock.Advance(59 * time.Second)
	b.force(g)
	b.force(g)
	b.clock.Advance(time.Second)
	b.uses(g, 0, 3)
	other := group(phoneKey, plan(slotted(logCell(100, time.Hour), 2)))
	b.allowed(other) // another event drops what is dead
	b.uses(g, 0, 4)
	b.exhaust(2, g)
	b.refused(g)
}

func fixedRefunded(b *countersBench) {
	g := group(phoneKey, plan(fixedCell(2, time.Minute)))
	t, taken := b.allowed(g)
	b.clock.Advance(30 * time.Second)
	b.refund(t, taken)
	b.uses(g, 0)
	b.exhaust(2, g)
	b.passesAfter(time.Minute, g)
}

func fixedLargest(b *countersBench) {
	g := group(phoneKey, plan(fixedCell(throttle.MaxLimit, throttle.MaxWindow)))
	b.exhaust(3, g)
	b.clock.Advance(throttle.MaxWindow - time.Millisecond)
	b.uses(g, 3)
	b.clock.Advance(time.Millisecond)
	b.uses(g, 0)
}
