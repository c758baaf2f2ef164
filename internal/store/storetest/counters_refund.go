package storetest

import (
	"time"

	"smsd/internal/throttle"
)

var refundTests = []countersTest{
	{"a refund removes what was charged, once", refundOnce},
	{"a refund of some groups", refundSome},
	{"a refund takes the right entry", refundRight},
	{"a refund where there is no key (animir#254)", refundNoKey},
	{"a refund takes from the bucket that was charged", refundBucket},
	{"a refund of what is long gone changes nothing", refundLate},
	{"a refund never goes below zero", refundFloor},
	{"a refund leaves shadow counts that were not charged", refundShadow},
	{"a refund leaves what was only asked", refundAsked},
	{"refused, then refunded, then allowed (envoy#1230)", refundFrees},
}

func refundOnce(b *countersBench) {
	g := group(phoneKey, plan(logCell(3, time.Hour), slotted(counterCell(9, time.Hour), 2)))
	logOnly := group(phoneKey, plan(logCell(3, time.Hour)))
	b.allowed(g)
	t, taken := b.allowed(g)
	b.refund(t, taken)
	b.uses(g, 1, 1)
	b.refund(t, taken, logOnly)
	b.refund(t, taken, logOnly)
	b.uses(g, 1, 1)
}

func refundSome(b *countersBench) {
	phone := group(phoneKey, plan(logCell(3, time.Hour), slotted(counterCell(9, time.Hour), 2)))
	other := group(otherKey, plan(logCell(3, time.Hour), slotted(counterCell(9, time.Hour), 2)))
	t, taken := b.allowed(phone, other)
	b.refund(t, taken, phone)
	b.uses(phone, 0, 0)
	b.uses(other, 1, 1)
	b.refund(t, taken, other)
	b.uses(other, 0, 0)
}

// Several entries of one millisecond differ by their ids alone.
func refundRight(b *countersBench) {
	all := logCell(9, time.Hour)
	a, other := group(phoneKey, plan(all, marked(logCell(9, time.Hour), markA))), group(phoneKey, planB(all, marked(logCell(9, time.Hour), markB)))
	b.allowed(other)
	t, taken := b.allowed(a)
	b.allowed(other)
	b.refund(t, taken)
	b.uses(a, 2, 0)
	b.uses(other, 2, 2)
}

func refundNoKey(b *countersBench) {
	g := group(phoneKey, plan(logCell(3, time.Hour), slotted(counterCell(3, time.Hour), 2)))
	for range 5 {
		b.refund(throttle.Take{ID: 7, Groups: []throttle.Group{g}}, throttle.Taken{At: b.clock.Now().Truncate(time.Millisecond)})
	}
	b.exhaust(3, g)
	b.refused(g)
}

func refundBucket(b *countersBench) {
	g := group(phoneKey, plan(counterCell(100, time.Minute)))
	b.exhaust(10, g)
	t, taken := b.allowed(g)
	b.clock.Advance(70 * time.Second)
	b.exhaust(2, g)
	b.refund(t, taken)
	b.uses(g, 11) // 2 + 10·50/60 = 10.3; from the other bucket it would be 1 + 11·50/60 = 10.2
	b.clock.Advance(20 * time.Second)
	b.uses(g, 7) // 2 + 10·30/60; from the other bucket 1 + 11·30/60 = 6.5
	b.clock.Advance(30 * time.Second)
	b.uses(g, 2) // of which 1 would be left
}

func refundLate(b *countersBench) {
	g := group(phoneKey, plan(logCell(9, time.Minute), slotted(counterCell(9, time.Minute), 2)))
	t, taken := b.allowed(g)
	b.clock.Advance(150 * time.Second)
	b.exhaust(3, g)
	b.clock.Advance(70 * time.Second)
	b.allowed(g)
	b.refund(t, taken)
	b.uses(g, 1, 4) // 1 + 3·50/60 = 3.5
}

func refundFloor(b *countersBench) {
	g := group(phoneKey, plan(counterCell(3, time.Minute)))
	t, taken := b.allowed(g)
	for range 4 {
		b.refund(t, taken)
	}
	b.uses(g, 0)
	b.exhaust(3, g)
	b.refused(g)
	b.clock.Advance(4 * time.Minute)
	b.refund(t, taken)
	b.uses(g, 0)
}

func refundShadow(b *countersBench) {
	g := group(phoneKey, plan(shaded(counterCell(1, time.Hour)), shaded(slotted(counterCell(9, time.Hour), 2))))
	b.allowed(g)
	t, taken := b.allowed(g)
	b.uses(g, 1, 2)
	err := b.store.Refund(b.Context(), throttle.Refund{ID: t.ID, At: taken.At, Groups: t.Groups, Uncharged: []bool{true, false}})
	if err != nil {
		b.Fatal(err)
	}
	b.uses(g, 1, 1)
}

func refundAsked(b *countersBench) {
	guesses := on(throttle.Guess, slotted(counterCell(9, time.Hour), 5))
	b.force(group(phoneKey, plan(guesses)))
	send := group(phoneKey, plan(logCell(9, time.Hour), asked(guesses)))
	t, taken := b.allowed(send)
	b.refund(t, taken)
	b.uses(send, 0, 1)
}

func refundFrees(b *countersBench) {
	g := group(phoneKey, plan(logCell(1, time.Hour), slotted(counterCell(1, time.Hour), 2)))
	t, taken := b.allowed(g)
	b.refused(g)
	b.refund(t, taken)
	b.allowed(g)
}
