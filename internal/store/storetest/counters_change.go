package storetest

import (
	"time"

	"smsd/internal/throttle"
)

// A new policy version has new plans for the same keys: each of these changes the numbers while counts run.
var changeTests = []countersTest{
	{"a raised log limit frees now (go-redisstore#10, APIcast#667, boulder#8785)", changeRaise(logCell)},
	{"a raised counter limit frees now (go-redisstore#10, APIcast#667, boulder#8785)", changeRaise(counterCell)},
	{"a raised bucket limit frees now (go-redisstore#10, APIcast#667, boulder#8785)", changeRaise(bucketCell)},
	{"a raised fixed limit frees now (go-redisstore#10, APIcast#667, boulder#8785)", changeRaise(fixedCell)},
	{"a lowered log limit holds now", changeLower(logCell)},
	{"a lowered counter limit holds now", changeLower(counterCell)},
	{"a lowered bucket limit holds now", changeLower(bucketCell)},
	{"a lowered fixed limit holds now", changeLower(fixedCell)},
	{"a shorter log window frees now", changeShorterLog},
	{"nobody waits longer than a shorter counter window", changeShorterCounter},
	{"a longer counter window holds what is known", changeLongerCounter},
	{"a fixed window that becomes longer or shorter keeps its start while it can", changeFixedWindow},
	{"a bucket of another limit keeps its level to the part", changeBucketLimit},
	{"a log that becomes a fixed window keeps its oldest event's start", changeLogToFixed},
	{"a log that becomes a bucket has leaked since each event", changeLogToBucket},
	{"a log that becomes a counter keeps its count", changeLogToCounter},
	{"a counter that becomes a log keeps its count", changeCounterToLog},
	{"a counter that was a log counts its own scene", changeMarkedToCounter},
	{"a rule that is new finds the log", changeNewRule},
}

type makeCell func(limit int64, window time.Duration) throttle.Cell

func changeRaise(cell makeCell) func(*countersBench) {
	return func(b *countersBench) {
		before, after := group(phoneKey, plan(cell(2, time.Hour))), group(phoneKey, plan(cell(4, time.Hour)))
		b.exhaust(2, before)
		b.refused(before)
		b.exhaust(2, after)
		b.refused(after)
		b.refused(before)
	}
}

func changeLower(cell makeCell) func(*countersBench) {
	return func(b *countersBench) {
		before, after := group(phoneKey, plan(cell(8, time.Hour))), group(phoneKey, plan(cell(3, time.Hour)))
		b.exhaust(5, before)
		v := b.refused(after)[0]
		if v.Used != 5 {
			b.Errorf("used %d, want 5", v.Used)
		}
		b.passesAfter(v.Wait, after)
	}
}

func changeShorterLog(b *countersBench) {
	before, after := group(phoneKey, plan(logCell(2, time.Hour))), group(phoneKey, plan(logCell(2, time.Minute)))
	b.exhaust(2, before)
	b.clock.Advance(20 * time.Second)
	b.refused(before)
	b.passesAfter(40*time.Second, after)
}

func changeShorterCounter(b *countersBench) {
	before, after := group(phoneKey, plan(counterCell(10, 24*time.Hour))), group(phoneKey, plan(counterCell(5, time.Minute)))
	b.exhaust(10, before)
	b.clock.Advance(time.Hour)
	wait := b.refused(after)[0].Wait
	if want := 36 * time.Second; wait != want { // 10·(60-w)/60 <= 4
		b.Fatalf("wait %s, want %s", wait, want)
	}
	b.passesAfter(wait, after)
}

func changeLongerCounter(b *countersBench) {
	before, after := group(phoneKey, plan(counterCell(10, time.Minute))), group(phoneKey, plan(counterCell(10, time.Hour)))
	b.exhaust(10, before)
	b.clock.Advance(90 * time.Second)
	b.uses(after, 5)
	b.exhaust(5, after)
	wait := b.refused(after)[0].Wait
	if want := 12 * time.Minute; wait != want { // 5 + 5·(60-w)/60 <= 9
		b.Fatalf("wait %s, want %s", wait, want)
	}
	b.passesAfter(wait, after)
}

func changeLogToCounter(b *countersBench) {
	before, after := group(phoneKey, plan(logCell(4, time.Hour))), group(phoneKey, plan(counterCell(6, time.Hour)))
	b.exhaust(4, before)
	b.clock.Advance(30 * time.Minute)
	b.uses(after, 4)
	b.exhaust(2, after)
	v := b.refused(after)[0]
	if v.Used != 6 || v.Wait != 15*time.Minute { // 2 + 4·(60-w)/60 <= 5
		b.Fatalf("%+v", v)
	}
	b.passesAfter(v.Wait, after)
	full := group(otherKey, plan(counterCell(4, time.Hour)))
	b.exhaust(4, group(otherKey, plan(logCell(4, time.Hour))))
	b.passesAfter(b.refused(full)[0].Wait, full)
}

func changeCounterToLog(b *countersBench) {
	before, after := group(phoneKey, plan(counterCell(8, time.Hour))), group(phoneKey, plan(logCell(4, time.Hour)))
	b.exhaust(6, before)
	b.clock.Advance(30 * time.Minute)
	v := b.refused(after)[0]
	if v.Used != 6 || v.Wait != time.Hour { // half an hour of its bucket, and 6·(60-w)/60 <= 3 at w = 30 m
		b.Fatalf("%+v", v)
	}
	b.passesAfter(v.Wait, after)
	b.uses(after, 3) // the counter's estimate: 6·30/60
	b.clock.Advance(20 * time.Minute)
	b.exhaust(3, after)
	b.refused(after)
	b.clock.Advance(10 * time.Minute)
	b.uses(after, 4)
}

func changeFixedWindow(b *countersBench) {
	hour, day, minute := plan(fixedCell(2, time.Hour)), plan(fixedCell(2, 24*time.Hour)), plan(fixedCell(2, time.Minute))
	b.exhaust(2, group(phoneKey, hour))
	b.clock.Advance(10 * time.Minute)
	if wait := b.refused(group(phoneKey, day))[0].Wait; wait != 24*time.Hour-10*time.Minute {
		b.Errorf("wait %s in a longer window", wait)
	}
	if wait := b.refused(group(phoneKey, hour))[0].Wait; wait != 50*time.Minute {
		b.Errorf("wait %s in the first window again", wait)
	}
	b.refused(group(phoneKey, minute))
	b.passesAfter(time.Minute, group(phoneKey, minute)) // nobody knows that the events were not the last minute's
}

func changeBucketLimit(b *countersBench) {
	before, after := group(phoneKey, plan(bucketCell(4, time.Minute))), group(phoneKey, plan(bursting(bucketCell(6, time.Minute), 3)))
	b.exhaust(4, before)
	b.clock.Advance(10 * time.Second)                                                          // 4 - 10·4/60 = 3.33
	if v, want := b.refused(after)[0], 13334*time.Millisecond; v.Used != 4 || v.Wait != want { // 1.33·60/6 s, rounded up
		b.Errorf("%+v, want a wait of %s", v, want)
	}
	b.passesAfter(13334*time.Millisecond, after)
}

func changeLogToFixed(b *countersBench) {
	before, after := group(phoneKey, plan(logCell(9, time.Minute))), group(phoneKey, plan(fixedCell(3, time.Minute)))
	b.allowed(before)
	b.clock.Advance(20 * time.Second)
	b.allowed(before)
	b.clock.Advance(20 * time.Second)
	b.allowed(after)
	b.passesAfter(20*time.Second, after)
	b.uses(after, 1)
}

func changeLogToBucket(b *countersBench) {
	before, after := group(phoneKey, plan(logCell(9, time.Minute))), group(phoneKey, plan(bursting(bucketCell(6, time.Minute), 2)))
	b.exhaust(2, before)
	b.clock.Advance(15 * time.Second) // 2 - 1.5, and one more
	b.allowed(before)
	b.uses(after, 2)
	b.passesAfter(5*time.Second, after)
}

func changeMarkedToCounter(b *countersBench) {
	sceneA, sceneB := marked(logCell(9, time.Hour), markA), marked(logCell(9, time.Hour), markB)
	b.exhaust(3, group(phoneKey, plan(sceneA)))
	b.exhaust(2, group(phoneKey, planB(sceneB)))
	a := group(phoneKey, plan(marked(slotted(counterCell(9, time.Hour), 11), markA)))
	other := group(phoneKey, planB(marked(slotted(counterCell(9, time.Hour), 12), markB)))
	b.uses(a, 3)
	b.allowed(a)
	b.uses(a, 4)
	b.uses(other, 2)
	b.allowed(other)
	b.uses(other, 3)
}

func changeNewRule(b *countersBench) {
	day := logCell(9, 24*time.Hour)
	b.exhaust(3, group(phoneKey, plan(day)))
	b.clock.Advance(2 * time.Hour)
	b.exhaust(2, group(phoneKey, plan(day)))
	g := group(phoneKey, plan(day, slotted(logCell(9, time.Hour), 2), slotted(counterCell(100, time.Hour), 3)))
	b.uses(g, 5, 2, 2)
	b.allowed(g)
	b.uses(g, 6, 3, 3)
}
