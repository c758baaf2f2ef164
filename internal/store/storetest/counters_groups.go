package storetest

import (
	"slices"
	"time"

	"smsd/internal/throttle"
)

var groupTests = []countersTest{
	{"verdicts stand in the order of groups and cells", groupOrder},
	{"a refusal changes nothing (envoyproxy/ratelimit#185)", groupRefusal},
	{"all or nothing over several keys (symfony#40705, relay#4787)", groupAllOrNothing},
	{"peek changes nothing", groupPeek},
	{"what is only asked is not charged", groupAsked},
	{"force charges without asking", groupForce},
	{"a shadow never refuses", shadowNeverRefuses},
	{"a shadow is not charged where it would refuse", shadowUncharged},
	{"a shadow is not charged by a refusal", shadowRefusal},
	{"a shadow's rules are counted apart", shadowApart},
	{"force charges a shadow too", shadowForce},
}

func groupOrder(b *countersBench) {
	phone := group(phoneKey, plan(logCell(9, time.Minute), slotted(counterCell(9, time.Hour), 2)))
	net := group(phoneNet, plan(logCell(8, time.Minute)))
	b.allowed(phone)
	b.allowed(phone, net)
	b.shows([]throttle.Group{phone, net}, throttle.Verdict{Used: 2}, throttle.Verdict{Used: 2}, throttle.Verdict{Used: 1})
	b.shows([]throttle.Group{net, phone}, throttle.Verdict{Used: 1}, throttle.Verdict{Used: 2}, throttle.Verdict{Used: 2})
}

func groupRefusal(b *countersBench) {
	g := group(phoneKey, plan(logCell(10, time.Hour), slotted(counterCell(12, time.Hour), 2)))
	b.exhaust(10, g)
	for range 40 {
		b.refused(g)
	}
	raised := group(phoneKey, plan(logCell(20, time.Hour), slotted(counterCell(12, time.Hour), 2)))
	b.uses(raised, 10, 10)
	b.exhaust(2, raised)
	b.refused(raised)
	b.uses(raised, 12, 12)
}

func groupAllOrNothing(b *countersBench) {
	roomy := group(phoneKey, plan(logCell(100, time.Hour), slotted(counterCell(100, time.Hour), 2)))
	full := group(otherKey, plan(logCell(1, time.Hour)))
	b.allowed(full)
	for i := range 100 {
		groups := []throttle.Group{roomy, full}
		if i%2 == 0 {
			slices.Reverse(groups)
		}
		b.refused(groups...)
	}
	b.uses(roomy, 0, 0)
}

func groupPeek(b *countersBench) {
	g := group(phoneKey, plan(logCell(2, time.Hour), slotted(counterCell(2, time.Hour), 2)))
	b.allowed(g)
	for range 5 {
		if !b.peek(g).Allowed {
			b.Fatal("peek says that it would be refused")
		}
	}
	b.allowed(g)
	if b.peek(g).Allowed {
		b.Fatal("peek says that it would be allowed")
	}
	wait := b.refused(g)[0].Wait
	b.shows([]throttle.Group{g}, throttle.Verdict{Used: 2, Wait: wait, Refused: true}, throttle.Verdict{Used: 2, Wait: 90 * time.Minute, Refused: true})
}

func groupAsked(b *countersBench) {
	sends, guesses := logCell(9, time.Hour), on(throttle.Guess, marked(logCell(2, time.Hour), markA))
	send := group(phoneKey, plan(sends, asked(guesses)))
	guess := group(phoneKey, plan(guesses))
	b.exhaust(3, send)
	b.uses(send, 3, 0)
	b.force(guess)
	b.uses(send, 3, 1)
	b.force(guess)
	if v := b.refused(send); v[0].Refused || !v[1].Refused || v[1].Wait != time.Hour {
		b.Errorf("%+v", v)
	}
	b.allowed(group(phoneKey, planB(sends, asked(on(throttle.Guess, marked(logCell(2, time.Hour), markB))))))
}

func groupForce(b *countersBench) {
	g := group(phoneKey, plan(logCell(2, time.Minute), slotted(counterCell(2, time.Minute), 2)))
	for i := range int64(4) {
		_, taken := b.force(g)
		v := taken.Verdicts
		if v[0].Used != i+1 || v[1].Used != i+1 || v[0].Refused != (i >= 2) || v[1].Refused != (i >= 2) {
			b.Errorf("%d: %+v", i, v)
		}
		b.clock.Advance(time.Second)
	}
	// The second newest of the log came at 2 s, and it is 4 s now.
	if wait := b.refused(g)[0].Wait; wait != 58*time.Second {
		b.Errorf("wait %s, want 58s", wait)
	}
}

func shadowNeverRefuses(b *countersBench) {
	enforced, shadow := logCell(3, time.Hour), shaded(slotted(logCell(1, time.Hour), 2))
	g, apart := group(phoneKey, plan(shadow, enforced)), group(phoneNet, plan(shadow))
	b.allowed(g, apart)
	_, taken := b.allowed(apart, g)
	if v := taken.Verdicts; !v[0].Refused || !v[1].Refused || v[1].Wait != time.Hour || v[2].Refused || v[2].Used != 2 {
		b.Errorf("%+v", v)
	}
	b.allowed(g, apart)
	if v := b.refused(g, apart); !v[0].Refused || !v[1].Refused {
		b.Errorf("%+v", v)
	}
	b.uses(g, 1, 3)
}

func shadowUncharged(b *countersBench) {
	shadow := group(phoneKey, plan(
		shaded(logCell(1, time.Minute)), shaded(slotted(counterCell(2, time.Hour), 2)), shaded(slotted(logCell(9, time.Hour), 3))))
	for range 5 {
		b.allowed(shadow)
	}
	b.uses(shadow, 1, 2, 5)
	b.clock.Advance(time.Minute)
	b.allowed(shadow)
	b.uses(shadow, 1, 2, 6)
}

func shadowRefusal(b *countersBench) {
	shadows := []throttle.Cell{shaded(slotted(logCell(9, time.Hour), 2)), shaded(slotted(counterCell(9, time.Hour), 3))}
	g, apart := group(phoneKey, plan(append(shadows, logCell(1, time.Hour))...)), group(phoneNet, plan(shadows...))
	b.allowed(g, apart)
	b.refused(g, apart)
	b.refused(apart, g)
	b.uses(g, 1, 1, 1)
	b.uses(apart, 1, 1)
}

func shadowApart(b *countersBench) {
	one, two := shaded(logCell(9, time.Hour)), shaded(slotted(logCell(9, time.Hour), 2))
	b.allowed(group(phoneKey, plan(one, two)))
	b.exhaust(2, group(phoneKey, plan(two)))
	b.uses(group(phoneKey, plan(one, two)), 1, 3)
	b.uses(group(phoneKey, plan(slotted(logCell(9, time.Hour), 3))), 0)
	b.exhaust(4, group(phoneKey, plan(slotted(logCell(9, time.Hour), 3))))
	b.uses(group(phoneKey, plan(one, two, slotted(logCell(9, time.Hour), 3))), 1, 3, 4)
}

func shadowForce(b *countersBench) {
	shadow := group(phoneKey, plan(shaded(logCell(1, time.Hour)), shaded(slotted(counterCell(1, time.Hour), 2))))
	for range 3 {
		b.force(shadow)
	}
	b.uses(shadow, 3, 3)
}
