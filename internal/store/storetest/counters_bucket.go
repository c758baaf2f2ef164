package storetest

import (
	"time"

	"smsd/internal/throttle"
)

var bucketTests = []countersTest{
	{"a bucket takes Burst at once, then a steady pace", bucketPace},
	{"a bucket leaks evenly", bucketLeaks},
	{"a bucket's wait is exact to the millisecond, whatever does not divide", bucketExact},
	{"a bucket past its burst by force waits a window at most", bucketForced},
	{"a bucket admits Burst+Limit-1 in the worst window", bucketWorst},
	{"a bucket of another burst keeps its level", bucketBurst},
	{"a bucket that is empty is not filled from the log beside it", bucketBesideLog},
	{"a bucket takes back one event, never below zero", bucketRefunded},
	{"a bucket of the largest limit, burst and window", bucketLargest},
}

func bucketPace(b *countersBench) {
	g := group(phoneKey, plan(bursting(bucketCell(10, time.Hour), 3)))
	b.exhaust(2, g)
	_, taken := b.allowed(g)
	if want := (throttle.Verdict{Used: 3, Wait: 6 * time.Minute}); taken.Verdicts[0] != want {
		b.Errorf("%+v, want %+v", taken.Verdicts[0], want)
	}
	if want, v := (throttle.Verdict{Used: 3, Wait: 6 * time.Minute, Refused: true}), b.refused(g)[0]; v != want {
		b.Errorf("%+v, want %+v", v, want)
	}
	for range 5 {
		b.passesAfter(6*time.Minute, g)
	}
	b.clock.Advance(18 * time.Minute)
	b.uses(g, 0)
	b.exhaust(3, g)
	b.refused(g)
}

func bucketLeaks(b *countersBench) {
	g := group(phoneKey, plan(bucketCell(4, time.Minute)))
	b.exhaust(4, g)
	b.clock.Advance(20 * time.Second) // 4 - 20·4/60 = 2.67
	b.shows([]throttle.Group{g}, throttle.Verdict{Used: 3})
	b.allowed(g) // 3.67
	if v, want := b.refused(g)[0], 10*time.Second; v.Used != 4 || v.Wait != want {
		b.Errorf("%+v, want a wait of %s", v, want)
	}
	b.passesAfter(10*time.Second, g)
	b.clock.Advance(time.Hour)
	b.uses(g, 0)
}

func bucketExact(b *countersBench) {
	g := group(phoneKey, plan(bucketCell(7, time.Minute)))
	b.exhaust(7, g)
	b.clock.Advance(1234 * time.Millisecond)
	// One event leaks in 60000/7 = 8571.4 ms, and each millisecond takes 7 of its 60000 parts.
	if wait, want := b.refused(g)[0].Wait, 7338*time.Millisecond; wait != want {
		b.Fatalf("wait %s, want %s", wait, want)
	}
	b.passesAfter(7338*time.Millisecond, g)
	// At 8572 ms 4 parts more had leaked than one event: the next one needs 59996 of them, 8570.9 ms.
	b.passesAfter(8571*time.Millisecond, g)
}

func bucketForced(b *countersBench) {
	g := group(phoneKey, plan(bursting(bucketCell(4, time.Minute), 2)))
	for i := range int64(5) {
		if _, taken := b.force(g); taken.Verdicts[0].Used != i+1 || taken.Verdicts[0].Refused != (i >= 2) {
			b.Errorf("%d: %+v", i, taken.Verdicts[0])
		}
	}
	for range 100 {
		b.force(g) // what no longer counts
	}
	b.uses(g, 5)
	b.clock.Advance(10 * time.Second)
	b.passesAfter(50*time.Second, g)
	b.passesAfter(15*time.Second, g)
}

// A full bucket, and what leaks in a window less a millisecond.
func bucketWorst(b *countersBench) {
	g := group(phoneKey, plan(bursting(bucketCell(4, time.Minute), 6)))
	b.exhaust(6, g)
	passed, end := 6, b.clock.Now().Add(time.Minute)
	for {
		b.clock.Advance(b.refused(g)[0].Wait)
		if !b.clock.Now().Before(end) {
			break
		}
		b.allowed(g)
		passed++
	}
	if passed != 6+4-1 {
		b.Errorf("%d passed, want 9", passed)
	}
}

func bucketBurst(b *countersBench) {
	g := group(phoneKey, plan(bucketCell(6, time.Minute)))
	b.exhaust(4, g)
	small := group(phoneKey, plan(bursting(bucketCell(6, time.Minute), 2)))
	if v := b.refused(small)[0]; v.Used != 4 || v.Wait != 30*time.Second {
		b.Errorf("%+v", v)
	}
	b.exhaust(2, g)
	b.passesAfter(50*time.Second, small)
}

func bucketBesideLog(b *countersBench) {
	g := group(phoneKey, plan(bursting(bucketCell(60, time.Hour), 1), slotted(logCell(100, time.Hour), 2)))
	for range 3 {
		b.allowed(g)
		b.passesAfter(time.Minute, g)
		b.clock.Advance(time.Minute)
	}
	b.uses(g, 0, 6)
	b.clock.Advance(time.Minute)
	b.allowed(g)
}

func bucketRefunded(b *countersBench) {
	g := group(phoneKey, plan(bucketCell(4, time.Minute)))
	b.exhaust(3, g)
	t, taken := b.allowed(g)
	b.refused(g)
	b.refund(t, taken)
	b.uses(g, 3)
	b.clock.Advance(5 * time.Second) // 3 - 5·4/60 = 2.67
	b.refund(t, taken)
	b.uses(g, 2) // 1.67
	for range 3 {
		b.refund(t, taken)
	}
	b.uses(g, 0)
	b.exhaust(4, g)
	b.passesAfter(15*time.Second, g)
}

func bucketLargest(b *countersBench) {
	g := group(phoneKey, plan(bucketCell(throttle.MaxLimit, throttle.MaxWindow)))
	b.exhaust(3, g)
	b.uses(g, 3)
	// An event leaks in 2592 ms.
	b.clock.Advance(2591 * time.Millisecond)
	b.uses(g, 3)
	b.clock.Advance(time.Millisecond)
	b.uses(g, 2)
	slow := group(otherKey, plan(bucketCell(1, throttle.MaxWindow)))
	b.allowed(slow)
	b.passesAfter(throttle.MaxWindow, slow)
}
