package storetest

import (
	"time"

	"smsd/internal/throttle"
)

// Modes change while counts run: what a rule has counted in the one it finds in the other.
var modeTests = []countersTest{
	{"a log full in shadow refuses when it is enforced", modeEnforced(logCell, 50*time.Minute)},
	{"a counter full in shadow refuses when it is enforced", modeEnforced(counterCell, 70*time.Minute)},
	{"a bucket full in shadow refuses when it is enforced", modeEnforced(bucketCell, 10*time.Minute)},
	{"a fixed window full in shadow refuses when it is enforced", modeEnforced(fixedCell, 50*time.Minute)},
	{"a log in shadow that becomes another algorithm, enforced", modeAlgorithm},
	{"records go on in shadow, a log counts anew", modeShaded},
	{"enforced, in shadow and enforced again", modeBack},
	{"what an enforced rule beside it keeps too counts once", modeOnce},
	{"what an enforced rule beside it has counted since counts", modeBeside},
	{"each scene finds its own", modeScenes},
	{"what a rule charged in shadow stays while it is in its window", modeStays},
	{"and is found where the enforced log was compacted", modeCompacted},
	{"the wait over both is of the limit-th newest", modeWait},
	{"a refund over the change", modeRefund},
	{"a refund of a shadow leaves what enforced rules keep", modeRefundApart},
	{"a step of the clock back over the change", modeStep},
}

// modeEnforced: 3 at once in shadow, and two that it would have refused; it is enforced ten minutes later.
func modeEnforced(cell makeCell, wait time.Duration) func(*countersBench) {
	return func(b *countersBench) {
		rule := cell(3, time.Hour)
		b.exhaust(5, group(phoneKey, plan(shaded(rule))))
		b.clock.Advance(10 * time.Minute)
		enforced := group(phoneKey, plan(rule))
		v := b.refused(enforced)[0]
		if v.Used != 3 || v.Wait != wait || !v.Refused {
			b.Fatalf("%+v, want a wait of %s", v, wait)
		}
		b.refused(enforced)
		b.passesAfter(wait, enforced)
	}
}

func modeAlgorithm(b *countersBench) {
	for i, cell := range []makeCell{counterCell, bucketCell, fixedCell} {
		key := throttle.Key{Tag: phoneKey.Tag, Name: string(rune('a' + i))}
		b.exhaust(4, group(key, plan(shaded(logCell(4, time.Hour)))))
		enforced := group(key, plan(cell(4, time.Hour)))
		b.uses(enforced, 4)
		b.passesAfter(b.refused(enforced)[0].Wait, enforced)
	}
}

func modeShaded(b *countersBench) {
	rules := []throttle.Cell{
		logCell(5, time.Hour), slotted(counterCell(5, time.Hour), 2), slotted(bucketCell(5, time.Hour), 3), slotted(fixedCell(5, time.Hour), 4),
	}
	b.exhaust(3, group(phoneKey, plan(rules...)))
	for i := range rules {
		rules[i].Shadow = true
	}
	shadow := group(phoneKey, plan(rules...))
	b.uses(shadow, 0, 3, 3, 3)
	b.exhaust(3, shadow)
	b.uses(shadow, 3, 5, 5, 5)
}

func modeBack(b *countersBench) {
	rule := logCell(4, time.Hour)
	enforced, shadow := group(phoneKey, plan(rule)), group(phoneKey, plan(shaded(rule)))
	b.exhaust(2, enforced)
	b.clock.Advance(10 * time.Minute)
	b.exhaust(2, shadow)
	b.uses(shadow, 2)
	b.clock.Advance(10 * time.Minute)
	if v := b.refused(enforced)[0]; v.Used != 4 || v.Wait != 40*time.Minute {
		b.Fatalf("%+v", v)
	}
	b.clock.Advance(40 * time.Minute) // the first two have left
	b.uses(enforced, 2)
	b.exhaust(2, enforced)
	if v := b.refused(enforced)[0]; v.Used != 4 || v.Wait != 10*time.Minute {
		b.Fatalf("%+v", v)
	}
	b.uses(shadow, 2)
}

func modeOnce(b *countersBench) {
	other, rule := slotted(logCell(100, time.Hour), 2), logCell(9, time.Hour)
	b.exhaust(4, group(phoneKey, plan(other, shaded(rule))))
	both := group(phoneKey, plan(other, rule))
	b.uses(both, 4, 4)
	b.exhaust(3, both)
	b.uses(both, 7, 7)
}

// Other rules of the key have kept events that the rule in shadow would have refused, and did not count.
func modeBeside(b *countersBench) {
	other, rule := slotted(logCell(100, time.Hour), 2), logCell(3, time.Hour)
	for range 6 {
		b.allowed(group(phoneKey, plan(other, shaded(rule))))
		b.clock.Advance(time.Minute)
	}
	b.uses(group(phoneKey, plan(other, shaded(rule))), 6, 3)
	b.uses(group(phoneKey, plan(other, rule)), 6, 6)
	b.passesAfter(57*time.Minute, group(phoneKey, plan(other, rule))) // the fourth came at 3 m, and it is 6 m
}

func modeScenes(b *countersBench) {
	a, other := marked(logCell(3, time.Hour), markA), marked(slotted(logCell(3, time.Hour), 2), markB)
	b.exhaust(3, group(phoneKey, plan(shaded(a))))
	b.allowed(group(phoneKey, planB(shaded(other))))
	b.refused(group(phoneKey, plan(a)))
	b.exhaust(2, group(phoneKey, planB(other)))
	b.refused(group(phoneKey, planB(other)))
}

// A rule over a shorter window that stays in shadow goes on charging, and trims what is its own.
func modeStays(b *countersBench) {
	rule, short := logCell(3, time.Hour), shaded(slotted(logCell(9, time.Minute), 2))
	b.exhaust(3, group(phoneKey, plan(shaded(rule), short)))
	enforced, elsewhere := group(phoneKey, plan(rule, short)), group(phoneKey, plan(rule, short))
	elsewhere.Plan.Cells = elsewhere.Plan.Cells[1:] // of a scene that the first rule does not count
	for range 59 {
		b.clock.Advance(time.Minute)
		b.refused(enforced)
		b.allowed(elsewhere)
	}
	b.passesAfter(time.Minute, enforced)
}

func modeCompacted(b *countersBench) {
	scene, rule := slotted(logCell(2, time.Hour), 2), logCell(100, time.Hour)
	first := planB(marked(scene, markB), shaded(rule))
	rest := plan(marked(scene, markA), shaded(rule))
	b.force(group(phoneKey, first)) // the oldest, which its scene keeps
	b.clock.Advance(time.Second)
	for range 99 + 30 {
		b.force(group(phoneKey, rest))
	}
	// The 129th leaves 1 and 2 in the scenes' log, and the newest 100 in the shadow's; then there is one more.
	b.uses(group(phoneKey, plan(marked(scene, markA), rule)), 3, 1+101)
}

// In shadow at 0 and 10 m, enforced since: at 20 and 30 m.
func modeWait(b *countersBench) {
	rule := logCell(4, time.Hour)
	for i := range 4 {
		rule.Shadow = i < 2
		b.allowed(group(phoneKey, plan(rule)))
		b.clock.Advance(10 * time.Minute)
	}
	for limit, want := range map[int64]time.Duration{4: 20 * time.Minute, 3: 30 * time.Minute, 2: 40 * time.Minute, 1: 50 * time.Minute} {
		if v := b.refused(group(phoneKey, plan(logCell(limit, time.Hour))))[0]; v.Used != 4 || v.Wait != want {
			b.Errorf("limit %d: %+v, want %s", limit, v, want)
		}
	}
	b.passesAfter(20*time.Minute, group(phoneKey, plan(rule)))
}

func modeRefund(b *countersBench) {
	for i, cell := range []makeCell{logCell, counterCell, bucketCell, fixedCell} {
		key := throttle.Key{Tag: phoneKey.Tag, Name: string(rune('a' + i))}
		enforced, shadow := group(key, plan(cell(2, time.Hour))), group(key, plan(shaded(cell(2, time.Hour))))
		b.allowed(shadow)
		t, taken := b.allowed(shadow)
		b.refused(enforced)
		b.refund(t, taken)
		t, taken = b.allowed(enforced)
		b.refused(enforced)
		b.peek(shadow)
		b.refund(t, taken)
		b.uses(enforced, 1)
		b.allowed(enforced)
		b.refused(enforced)
	}
}

func modeRefundApart(b *countersBench) {
	other, rule := slotted(logCell(100, time.Hour), 2), logCell(9, time.Hour)
	g := group(phoneKey, plan(other, shaded(rule)))
	t, taken := b.allowed(g)
	b.allowed(g)
	b.refund(t, taken, group(phoneKey, plan(shaded(rule))))
	b.uses(g, 2, 1)
	b.refund(t, taken)
	b.uses(g, 1, 1)
	b.uses(group(phoneKey, plan(other, rule)), 1, 1)
}

func modeStep(b *countersBench) {
	rule := logCell(2, time.Hour)
	enforced := group(phoneKey, plan(rule))
	b.exhaust(2, group(phoneKey, plan(shaded(rule))))
	b.clock.Advance(-24 * time.Hour)
	v := b.refused(enforced)[0]
	if v.Wait != time.Hour {
		b.Fatalf("%+v", v)
	}
	b.passesAfter(v.Wait, enforced)
}
