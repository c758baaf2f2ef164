package memstore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/throttle"
)

func small(maxKeys int) (*memstore.Counters, *memstore.Clock) {
	clock := memstore.NewClock(storetest.NewManualClock().Now)
	return memstore.NewCounters(memstore.Options{MaxKeys: maxKeys, Clock: clock}), clock
}

func groupOf(n int, p *throttle.Plan) throttle.Group {
	return throttle.Group{Key: throttle.Key{Tag: throttle.Tag(fmt.Sprintf("%022d", n)), Name: "p"}, Plan: p}
}

func logged(limit int64, window time.Duration) *throttle.Plan {
	return &throttle.Plan{
		Cells: []throttle.Cell{{Algorithm: throttle.Log, Limit: limit, Window: window, Charge: true}},
		Mark:  1, Retain: [throttle.Events]time.Duration{window}, TTL: window,
		Keep: [throttle.Events]throttle.Keep{{All: int(limit)}},
	}
}

func shadowed(limit int64, window time.Duration) *throttle.Plan {
	return &throttle.Plan{
		Cells: []throttle.Cell{{Algorithm: throttle.Log, Limit: limit, Window: window, Own: 9, Shadow: true, Charge: true}},
		Mark:  1, RetainShadow: [throttle.Events]time.Duration{window}, TTL: window,
		KeepShadow: [throttle.Events]int{int(limit)},
	}
}

func isFull(err error) bool { return errors.Is(err, throttle.ErrUnavailable) }

func take(t testing.TB, c *memstore.Counters, groups ...throttle.Group) (throttle.Taken, error) {
	return c.Take(t.Context(), throttle.Take{ID: rand.Uint32(), Groups: groups})
}

func charge(t testing.TB, c *memstore.Counters, groups ...throttle.Group) {
	t.Helper()
	if taken, err := take(t, c, groups...); err != nil || !taken.Allowed {
		t.Fatalf("%+v, %v", taken, err)
	}
}

func peek(t testing.TB, c *memstore.Counters, groups ...throttle.Group) throttle.Taken {
	t.Helper()
	taken, err := c.Peek(t.Context(), throttle.Take{Groups: groups})
	if err != nil {
		t.Fatal(err)
	}
	return taken
}

func TestFreshSubjectsStayWithinTheBound(t *testing.T) {
	t.Parallel()
	const bound = 1000
	c, clock := small(bound)
	honest := groupOf(-1, logged(2, time.Hour))
	charge(t, c, honest)
	full := 0
	p := logged(1, time.Hour)
	for n := range 1_000_000 / 20 {
		if _, err := take(t, c, groupOf(n, p)); isFull(err) {
			full++
		} else if err != nil {
			t.Fatal(err)
		}
		if c.Len() > bound {
			t.Fatalf("%d keys", c.Len())
		}
	}
	if want := 1_000_000/20 - bound + 1; full != want {
		t.Errorf("%d refused for want of room, want %d", full, want)
	}
	if v := peek(t, c, honest).Verdicts[0]; v.Used != 1 {
		t.Errorf("an honest subject's count is gone: %+v", v)
	}
	charge(t, c, honest) // who has a key is served
	clock.Advance(time.Hour)
	for n := range bound { // what has expired makes room
		charge(t, c, groupOf(-10-n, p))
	}
	if _, err := take(t, c, groupOf(-5000, p)); !isFull(err) {
		t.Errorf("%d keys: %v", c.Len(), err)
	}
}

func TestFullChangesNothing(t *testing.T) {
	t.Parallel()
	c, _ := small(2)
	known := groupOf(1, logged(9, time.Hour))
	charge(t, c, known)
	for range 3 {
		if _, err := take(t, c, known, groupOf(2, logged(9, time.Hour)), groupOf(3, logged(9, time.Hour))); !isFull(err) {
			t.Fatal(err)
		}
	}
	if v := peek(t, c, known, groupOf(2, logged(9, time.Hour))).Verdicts; v[0].Used != 1 || v[1].Used != 0 || c.Len() != 1 {
		t.Errorf("%+v, %d keys", v, c.Len())
	}
	charge(t, c, known, groupOf(2, logged(9, time.Hour)))
}

func TestFullStillRefuses(t *testing.T) {
	t.Parallel()
	c, _ := small(1)
	spent := groupOf(1, logged(1, time.Hour))
	charge(t, c, spent)
	if taken, err := take(t, c, spent, groupOf(2, logged(1, time.Hour))); err != nil || taken.Allowed {
		t.Errorf("%+v, %v", taken, err)
	}
}

func TestShadowsDoNotTakeAnEnforcedRulesPlace(t *testing.T) {
	t.Parallel()
	c, _ := small(8)
	for n := range 8 {
		charge(t, c, groupOf(n, logged(9, time.Hour)), groupOf(10+n, shadowed(9, time.Hour)))
	}
	if want := 8 + 8/4; c.Len() != want {
		t.Errorf("%d keys, want %d", c.Len(), want)
	}
	if v := peek(t, c, groupOf(11, shadowed(9, time.Hour)), groupOf(17, shadowed(9, time.Hour))).Verdicts; v[0].Used != 1 || v[1].Used != 0 {
		t.Errorf("%+v", v)
	}
	charge(t, c, groupOf(1, shadowed(9, time.Hour))) // where there is a key, it takes no place
	if _, err := take(t, c, groupOf(10, logged(9, time.Hour))); !isFull(err) {
		t.Errorf("a key of a shadow rule that an enforced one needs too takes a place: %v", err)
	}
}

// Keys that an enforced rule has needed, and that only a shadow rule still writes, give up their places when the enforced
// rule's time is over; of those no more than the shadows' share stay.
func TestShadowsDoNotHoldAnEnforcedRulesPlace(t *testing.T) {
	t.Parallel()
	c, clock := small(8)
	for n := range 8 {
		charge(t, c, groupOf(n, logged(9, time.Hour)))
	}
	clock.Advance(30 * time.Minute)
	for n := range 8 {
		charge(t, c, groupOf(n, shadowed(9, time.Hour)))
	}
	clock.Advance(30 * time.Minute)
	for n := range 8 {
		charge(t, c, groupOf(10+n, logged(9, time.Hour)))
	}
	if want := 8 + 8/4; c.Len() != want {
		t.Errorf("%d keys, want %d", c.Len(), want)
	}
	clock.Advance(30 * time.Minute)
	for n := range 8 {
		charge(t, c, groupOf(10+n, logged(9, time.Hour)))
	}
	if c.Len() != 8 {
		t.Errorf("%d keys, want 8: the shadows' own time is over", c.Len())
	}
}

func TestIdleMemoryGoesBack(t *testing.T) {
	t.Parallel()
	c, clock := small(10_000)
	for n := range 5000 {
		charge(t, c, groupOf(n, logged(9, time.Minute)))
	}
	clock.Advance(time.Minute)
	for range 100 {
		charge(t, c, groupOf(-1, logged(1000, time.Hour)))
	}
	if c.Len() != 1 {
		t.Errorf("%d keys", c.Len())
	}
}

// A key that is used goes on living; its place in the queue of expiry is an old one.
func TestUsedKeysAreNotShed(t *testing.T) {
	t.Parallel()
	c, clock := small(10)
	g := groupOf(1, logged(1000, time.Hour))
	for range 50 {
		charge(t, c, g)
		clock.Advance(10 * time.Minute)
		charge(t, c, groupOf(2, logged(1000, time.Minute)))
	}
	if v := peek(t, c, g).Verdicts[0]; v.Used != 5 {
		t.Errorf("%+v", v)
	}
}

// The clock stood far ahead, and is set right: keys made before must not live until then.
func TestStepBackMakesNoKeyImmortal(t *testing.T) {
	t.Parallel()
	c, clock := small(10)
	clock.Advance(50 * 365 * 24 * time.Hour)
	for n := range 10 {
		charge(t, c, groupOf(n, logged(9, time.Hour)))
	}
	clock.Advance(-50 * 365 * 24 * time.Hour)
	if _, err := take(t, c, groupOf(100, logged(9, time.Hour))); !isFull(err) {
		t.Fatal(err)
	}
	clock.Advance(time.Hour)
	for n := range 10 {
		charge(t, c, groupOf(100+n, logged(9, time.Hour)))
	}
}

// What is only asked needs no key, and so no room.
func TestWhatIsOnlyAskedMakesNoKey(t *testing.T) {
	t.Parallel()
	c, _ := small(1)
	asked := logged(9, time.Hour)
	asked.Cells[0].Charge = false
	charge(t, c, groupOf(1, asked))
	if c.Len() != 0 {
		t.Errorf("%d keys", c.Len())
	}
	charge(t, c, groupOf(2, logged(9, time.Hour)))
	charge(t, c, groupOf(1, asked), groupOf(2, logged(9, time.Hour)))
}

// However many keys stand in the queue with ends that were put off, a full store finds the one that has expired.
func TestFullFindsWhatHasExpired(t *testing.T) {
	t.Parallel()
	const bound = 500
	c, clock := small(bound)
	for n := range bound - 1 {
		charge(t, c, groupOf(n, logged(9, time.Hour)))
	}
	clock.Advance(time.Minute)
	charge(t, c, groupOf(-1, logged(9, time.Hour)))
	clock.Advance(58 * time.Minute)
	for n := range bound - 1 {
		charge(t, c, groupOf(n, logged(9, time.Hour)))
	}
	clock.Advance(2 * time.Minute)
	charge(t, c, groupOf(-2, logged(9, time.Hour)))
}
