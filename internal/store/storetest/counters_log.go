package storetest

import (
	"time"

	"smsd/internal/throttle"
)

var logTests = []countersTest{
	{"log admits Limit in any window", logExact},
	{"log waits exactly", logWait},
	{"log frees one at a time", logRolls},
	{"hammering at twice the rate for three windows (rolling-rate-limiter#36)", logHammer},
	{"marks are told apart", logMarks},
	{"sections are told apart", logSections},
	{"several cells share a section", logSharedSection},
	{"a log longer than MaxEntries", logLong},
}

func logExact(b *countersBench) {
	g := group(phoneKey, plan(logCell(3, time.Minute)))
	for i := range int64(3) {
		_, taken := b.allowed(g)
		want := throttle.Verdict{Used: i + 1}
		if i == 2 {
			want.Wait = time.Minute
		}
		if taken.Verdicts[0] != want {
			b.Errorf("after %d: %+v, want %+v", i+1, taken.Verdicts[0], want)
		}
	}
	want := throttle.Verdict{Used: 3, Wait: time.Minute, Refused: true}
	if v := b.refused(g)[0]; v != want {
		b.Errorf("refused with %+v, want %+v", v, want)
	}
}

func logWait(b *countersBench) {
	g := group(phoneKey, plan(logCell(2, time.Minute)))
	b.allowed(g)
	b.clock.Advance(17 * time.Second)
	b.allowed(g)
	b.clock.Advance(4567 * time.Millisecond)
	wait := b.refused(g)[0].Wait
	if want := 38433 * time.Millisecond; wait != want {
		b.Fatalf("wait %s, want %s", wait, want)
	}
	b.passesAfter(wait, g)
}

func logRolls(b *countersBench) {
	g := group(phoneKey, plan(logCell(2, time.Minute)))
	b.allowed(g)
	b.clock.Advance(30 * time.Second)
	b.allowed(g)
	b.passesAfter(30*time.Second, g)
	b.passesAfter(30*time.Second, g)
	b.clock.Advance(2 * time.Minute)
	b.uses(g, 0)
	b.exhaust(2, g)
	b.refused(g)
}

func logHammer(b *countersBench) {
	g := group(phoneKey, plan(logCell(5, time.Minute)))
	passed := 0
	for range 30 {
		if _, taken := b.take(g); taken.Allowed {
			passed++
		}
		b.clock.Advance(6 * time.Second)
	}
	if passed != 15 {
		b.Errorf("%d passed in three windows, want 15", passed)
	}
}

func logMarks(b *countersBench) {
	all, sceneA, sceneB := logCell(4, time.Hour), marked(logCell(1, time.Minute), markA), marked(logCell(3, time.Minute), markB)
	a, other := group(phoneKey, plan(all, sceneA)), group(phoneKey, planB(all, sceneB))
	b.allowed(a)
	b.uses(a, 1, 1)
	b.uses(other, 1, 0)
	b.refused(a)
	b.exhaust(3, other)
	b.uses(other, 4, 3)
	if v := b.refused(other); v[0].Wait != time.Hour || v[1].Wait != time.Minute {
		b.Errorf("waits %v", v)
	}
}

func logSections(b *countersBench) {
	for e := range throttle.Event(throttle.Events) {
		g := group(phoneKey, plan(on(e, logCell(2, time.Minute))))
		b.uses(g, 0)
		b.exhaust(2, g)
		b.refused(g)
	}
}

func logSharedSection(b *countersBench) {
	g := group(phoneKey, plan(logCell(1, time.Minute), logCell(2, time.Hour), logCell(5, 24*time.Hour)))
	b.allowed(g)
	b.passesAfter(time.Minute, g)
	b.clock.Advance(time.Minute)
	v := b.refused(g)
	if v[0].Refused || !v[1].Refused || v[2].Refused || v[1].Wait != 58*time.Minute {
		b.Errorf("%+v", v)
	}
	b.uses(g, 0, 2, 2)
}

func logLong(b *countersBench) {
	const limit = 300
	g := group(phoneKey, plan(logCell(limit, time.Hour)))
	for range limit {
		b.allowed(g)
		b.clock.Advance(time.Millisecond)
	}
	wait := b.refused(g)[0].Wait
	if want := time.Hour - limit*time.Millisecond; wait != want {
		b.Fatalf("wait %s, want %s", wait, want)
	}
	b.passesAfter(wait, g)
}
