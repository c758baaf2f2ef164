package storetest

import (
	"time"

	"smsd/internal/throttle"
)

var boundTests = []countersTest{
	{"a section that overflows keeps what rules can read", boundCompact},
	{"one scene's flood leaves another's entries", boundFlood},
	{"entries older than Retain are dropped", boundRetain},
	{"a section that is not charged is kept, until TTL", boundOther},
	{"a flood stays exact", boundExact},
}

// boundPlans are of one kind of key: a log over all, one for each scene.
func boundPlans() (a, other throttle.Group) {
	all := on(throttle.Guess, logCell(5, time.Hour))
	a = group(phoneKey, plan(all, on(throttle.Guess, marked(logCell(3, time.Hour), markA))))
	other = group(phoneKey, planB(all, on(throttle.Guess, marked(logCell(3, time.Hour), markB))))
	return a, other
}

func boundCompact(b *countersBench) {
	a, _ := boundPlans()
	for range throttle.MaxEntries {
		b.force(a)
		b.clock.Advance(time.Millisecond)
	}
	b.uses(a, throttle.MaxEntries, throttle.MaxEntries)
	_, taken := b.force(a)
	want := throttle.Verdict{Used: 5, Wait: time.Hour - 4*time.Millisecond, Refused: true}
	if taken.Verdicts[0] != want {
		b.Fatalf("%+v, want %+v", taken.Verdicts[0], want)
	}
	if got, want := taken.Verdicts[1].Wait, time.Hour-2*time.Millisecond; got != want {
		b.Fatalf("wait %s, want %s", got, want)
	}
	b.force(a)
	b.uses(a, 6, 6)
}

func boundFlood(b *countersBench) {
	a, other := boundPlans()
	b.force(other)
	b.clock.Advance(time.Second)
	for range 3 {
		b.force(other)
	}
	b.clock.Advance(time.Minute)
	for range 3 * throttle.MaxEntries {
		b.force(a)
	}
	v := b.refused(other)
	if v[1].Used != 3 || v[1].Wait != 59*time.Minute {
		b.Errorf("%+v", v[1])
	}
}

func boundRetain(b *countersBench) {
	g := group(phoneKey, plan(logCell(9, time.Minute)))
	g.Plan.TTL = 24 * time.Hour // so that expiry can't do it
	longer := group(phoneKey, plan(logCell(9, time.Hour)))
	b.exhaust(2, g)
	b.clock.Advance(time.Minute)
	b.uses(longer, 2)
	b.allowed(g)
	b.uses(longer, 1)
}

func boundOther(b *countersBench) {
	guesses := on(throttle.Guess, logCell(9, time.Minute))
	both := plan(logCell(9, time.Minute), asked(guesses))
	guess := plan(guesses)
	guess.Retain, guess.TTL = both.Retain, time.Hour
	both.TTL = time.Hour
	b.exhaust(2, group(phoneKey, both))
	b.clock.Advance(2 * time.Minute)
	b.force(group(phoneKey, guess))
	b.uses(group(phoneKey, plan(logCell(9, time.Hour))), 2)
	for range 2 {
		b.clock.Advance(29 * time.Minute) // the key lives on
		b.force(group(phoneKey, guess))
	}
	b.uses(group(phoneKey, plan(logCell(9, 24*time.Hour))), 0)
}

// Compaction frees nobody early.
func boundExact(b *countersBench) {
	a, _ := boundPlans()
	for range 10 * throttle.MaxEntries {
		b.force(a)
		b.clock.Advance(100 * time.Millisecond)
	}
	v := b.refused(a)
	if v[0].Wait != time.Hour-500*time.Millisecond || v[1].Wait != time.Hour-300*time.Millisecond {
		b.Fatalf("%+v", v)
	}
	b.passesAfter(v[1].Wait, a)
}
