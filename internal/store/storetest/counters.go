package storetest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// Counters puts an implementation of [throttle.Store] through every line of its contract. open returns an
// empty one that reads the given clock; it is closed by t.Cleanup. Each test opens its own, and they
// run in parallel.
func Counters(t *testing.T, open func(t *testing.T, clock func() time.Time) throttle.Store) {
	t.Helper()
	for _, group := range [][]countersTest{
		logTests, counterTests, groupTests, refundTests, changeTests, stepTests, boundTests, storeTests,
	} {
		for _, test := range group {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				clock := NewManualClock()
				test.run(&countersBench{T: t, store: open(t, clock.Now), clock: clock})
			})
		}
	}
}

type countersTest struct {
	name string
	run  func(*countersBench)
}

// countersBench is the store under test with what every test does to it.
type countersBench struct {
	*testing.T
	store throttle.Store
	clock *ManualClock
}

// Keys of two subjects; those of one tag are decided together.
var (
	phoneKey   = throttle.Key{Tag: "AAAAAAAAAAAAAAAAAAAAAA", Name: "p"}
	phoneNet   = throttle.Key{Tag: phoneKey.Tag, Name: "pn+AbC-_0123456"}
	phoneShade = throttle.Key{Tag: phoneKey.Tag, Name: "p~"}
	otherKey   = throttle.Key{Tag: "B_-BBBBBBBBBBBBBBBBBBB", Name: "p"}
)

// Marks of two scenes.
const (
	markA uint16 = 0xA001
	markB uint16 = 0x00B2
)

// logCell is a Log over the section of sends; counterCell is a Counter with its record.
func logCell(limit int64, window time.Duration) throttle.Cell {
	return throttle.Cell{Algorithm: throttle.Log, Limit: limit, Window: window, Slot: 1, Charge: true}
}

func counterCell(limit int64, window time.Duration) throttle.Cell {
	c := logCell(limit, window)
	c.Algorithm = throttle.Counter
	return c
}

func marked(c throttle.Cell, mark uint16) throttle.Cell {
	c.Mark = mark
	return c
}

func slotted(c throttle.Cell, slot uint32) throttle.Cell {
	c.Slot = slot
	return c
}

func on(e throttle.Event, c throttle.Cell) throttle.Cell {
	c.Section = e
	return c
}

func asked(c throttle.Cell) throttle.Cell {
	c.Charge = false
	return c
}

// plan makes a plan of scene A for cells that are all the rules of their kind of key.
func plan(cells ...throttle.Cell) *throttle.Plan {
	p := &throttle.Plan{Cells: cells, Mark: markA}
	for _, c := range cells {
		if c.Algorithm == throttle.Counter {
			p.TTL = max(p.TTL, 2*c.Window)
			continue
		}
		p.TTL = max(p.TTL, c.Window)
		p.Retain[c.Section] = max(p.Retain[c.Section], c.Window)
		keep := &p.Keep[c.Section]
		if c.Mark == 0 {
			keep.All = max(keep.All, int(c.Limit))
		} else {
			keep.PerMark = max(keep.PerMark, int(c.Limit))
		}
	}
	return p
}

// planB is plan for an event of scene B.
func planB(cells ...throttle.Cell) *throttle.Plan {
	p := plan(cells...)
	p.Mark = markB
	return p
}

func shadowPlan(cells ...throttle.Cell) *throttle.Plan {
	p := plan(cells...)
	p.Shadow = true
	return p
}

// group is one key with its plan.
func group(k throttle.Key, p *throttle.Plan) throttle.Group { return throttle.Group{Key: k, Plan: p} }

func (b *countersBench) take(groups ...throttle.Group) (throttle.Take, throttle.Taken) {
	b.Helper()
	t := throttle.Take{ID: rand.Uint32(), Groups: groups}
	return t, b.do(t)
}

func (b *countersBench) do(t throttle.Take) throttle.Taken {
	b.Helper()
	taken, err := b.store.Take(b.Context(), t)
	if err != nil {
		b.Fatalf("take: %v", err)
	}
	b.whole(t, taken)
	return taken
}

// whole checks what holds for every answer.
func (b *countersBench) whole(t throttle.Take, taken throttle.Taken) {
	b.Helper()
	if want := b.clock.Now().Truncate(time.Millisecond); !taken.At.Equal(want) || taken.At.Location() != time.UTC {
		b.Fatalf("the store's clock is %v, want %v", taken.At, want)
	}
	n := 0
	for _, g := range t.Groups {
		n += len(g.Plan.Cells)
	}
	if len(taken.Verdicts) != n {
		b.Fatalf("%d verdicts for %d cells", len(taken.Verdicts), n)
	}
}

// force charges without asking.
func (b *countersBench) force(groups ...throttle.Group) (throttle.Take, throttle.Taken) {
	b.Helper()
	t := throttle.Take{ID: rand.Uint32(), Groups: groups, Force: true}
	taken := b.do(t)
	if !taken.Allowed {
		b.Fatal("force was refused")
	}
	return t, taken
}

// allowed takes once and must succeed.
func (b *countersBench) allowed(groups ...throttle.Group) (throttle.Take, throttle.Taken) {
	b.Helper()
	t, taken := b.take(groups...)
	if !taken.Allowed {
		b.Fatalf("refused: %+v", taken.Verdicts)
	}
	return t, taken
}

// refused takes once, must fail, and returns the verdicts.
func (b *countersBench) refused(groups ...throttle.Group) []throttle.Verdict {
	b.Helper()
	_, taken := b.take(groups...)
	if taken.Allowed {
		b.Fatalf("allowed: %+v", taken.Verdicts)
	}
	return taken.Verdicts
}

// exhaust takes n times and must succeed each time.
func (b *countersBench) exhaust(n int, groups ...throttle.Group) {
	b.Helper()
	for range n {
		b.allowed(groups...)
	}
}

func (b *countersBench) peek(groups ...throttle.Group) throttle.Taken {
	b.Helper()
	t := throttle.Take{Groups: groups}
	taken, err := b.store.Peek(b.Context(), t)
	if err != nil {
		b.Fatalf("peek: %v", err)
	}
	b.whole(t, taken)
	return taken
}

// shows checks the verdicts as they stand.
func (b *countersBench) shows(groups []throttle.Group, want ...throttle.Verdict) {
	b.Helper()
	if got := b.peek(groups...).Verdicts; !slices.Equal(got, want) {
		b.Fatalf("verdicts\n got %+v\nwant %+v", got, want)
	}
}

// uses checks how many events the cells count.
func (b *countersBench) uses(g throttle.Group, want ...int64) {
	b.Helper()
	var got []int64
	for _, v := range b.peek(g).Verdicts {
		got = append(got, v.Used)
	}
	if !slices.Equal(got, want) {
		b.Fatalf("used %v, want %v", got, want)
	}
}

// passesAfter checks that a refusal's wait keeps its word: one millisecond less is refused (unless a
// Counter may round), the whole wait passes.
func (b *countersBench) passesAfter(wait time.Duration, groups ...throttle.Group) {
	b.Helper()
	b.clock.Advance(wait - time.Millisecond)
	b.refused(groups...)
	b.clock.Advance(time.Millisecond)
	b.allowed(groups...)
}

func (b *countersBench) refund(t throttle.Take, taken throttle.Taken, groups ...throttle.Group) {
	b.Helper()
	if groups == nil {
		groups = t.Groups
	}
	err := b.store.Refund(b.Context(), throttle.Refund{ID: t.ID, At: taken.At, Groups: groups})
	if err != nil {
		b.Fatalf("refund: %v", err)
	}
}

// unavailable checks an error's kind.
func (b *countersBench) unavailable(err error) {
	b.Helper()
	if !errors.Is(err, throttle.ErrUnavailable) {
		b.Fatalf("got %v, want an error that unwraps to ErrUnavailable", err)
	}
}
