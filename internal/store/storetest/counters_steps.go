package storetest

import (
	"time"

	"smsd/internal/throttle"
)

// The clock may step, as when a server's time is set right.
var stepTests = []countersTest{
	{"a log after a step back", stepBack(logCell)},
	{"a counter after a step back", stepBack(counterCell)},
	{"a bucket after a step back", stepBack(bucketCell)},
	{"a fixed window after a step back", stepBack(fixedCell)},
	{"a wait keeps its word after the smallest step back", stepSmall(1)},
	{"a wait keeps its word after the smallest step back, with three events at one instant", stepSmall(3)},
	{"a step forward admits one window's worth", stepForward},
	{"entries stay in order through steps", stepOrder},
	{"a refusal after a step back keeps its word", stepRefusal},
	{"a step back in a section that is only asked", stepAsked},
	{"a refund after a step back", stepRefund},
}

// After a step back what is stored in the future counts as now, and so holds for one window.
func stepBack(cell makeCell) func(*countersBench) {
	return func(b *countersBench) {
		g := group(phoneKey, plan(cell(3, time.Hour)))
		b.exhaust(2, g)
		b.clock.Advance(-10 * 24 * time.Hour)
		b.uses(g, 2)
		b.allowed(g)
		wait := b.refused(g)[0].Wait
		if wait > 2*time.Hour {
			b.Fatalf("wait %s", wait)
		}
		b.passesAfter(wait, g)
	}
}

func stepSmall(limit int64) func(*countersBench) {
	return func(b *countersBench) {
		for i, cell := range []makeCell{logCell, counterCell, bucketCell, fixedCell} {
			g := group(phoneKey, plan(slotted(cell(limit, time.Minute), uint32(i))))
			g.Key.Name += string(rune('a' + i))
			for range limit {
				b.allowed(g)
			}
			b.clock.Advance(-time.Millisecond)
			b.passesAfter(b.refused(g)[0].Wait, g)
		}
	}
}

func stepForward(b *countersBench) {
	g := group(phoneKey, plan(logCell(2, time.Hour), slotted(counterCell(2, time.Hour), 2)))
	b.exhaust(2, g)
	b.clock.Advance(400 * 24 * time.Hour)
	b.exhaust(2, g)
	b.refused(g)
	b.clock.Advance(-400 * 24 * time.Hour)
	b.refused(g)
	b.clock.Advance(2 * time.Hour)
	b.allowed(g)
}

func stepOrder(b *countersBench) {
	g := group(phoneKey, plan(logCell(3, time.Minute)))
	b.allowed(g)
	b.clock.Advance(-20 * time.Second)
	b.allowed(g)
	b.clock.Advance(10 * time.Second)
	b.allowed(g)
	v := b.refused(g)[0]
	if v.Wait != 50*time.Second { // the first counts since the step back
		b.Fatalf("wait %s", v.Wait)
	}
	b.passesAfter(v.Wait, g)
	b.uses(g, 2)
}

func stepRefusal(b *countersBench) {
	for i, cell := range []makeCell{logCell, counterCell, bucketCell, fixedCell} {
		g := group(phoneKey, plan(cell(1, time.Minute)))
		g.Key.Name += string(rune('a' + i))
		b.allowed(g)
		b.clock.Advance(-time.Hour)
		b.passesAfter(b.refused(g)[0].Wait, g)
	}
}

func stepAsked(b *countersBench) {
	guesses := on(throttle.Guess, logCell(1, time.Minute))
	send := group(phoneKey, plan(logCell(9, time.Minute), asked(guesses)))
	b.force(group(phoneKey, plan(guesses)))
	b.clock.Advance(-time.Hour)
	b.passesAfter(b.refused(send)[1].Wait, send)
}

func stepRefund(b *countersBench) {
	g := group(phoneKey, plan(logCell(3, time.Hour), slotted(counterCell(3, time.Hour), 2)))
	t, taken := b.allowed(g)
	b.clock.Advance(-30 * time.Minute)
	b.allowed(g)
	b.refund(t, taken)
	b.uses(g, 1, 1)
}
