package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// Differential does the same random operations to a and b, both empty at first and reading clock, and
// fails at the first answer in which they differ: takes, peeks, forced charges, refunds, resets, changes
// of limits, windows, algorithms and modes, and steps of the clock in both directions. The same seed is the
// same history.
func Differential(t *testing.T, ops int, seed uint64, a, b throttle.Store, clock *ManualClock) {
	t.Helper()
	NarrowDifferential(t, ops, seed, a, b, clock, 0)
}

// Narrow is a part of the histories. A store of several servers gives back what some of them have granted when another
// refuses, which restores a log, but of a Counter the counts alone: not when its bucket began, nor from what it took over.
type Narrow int

// The parts.
const (
	OneTag   Narrow = iota + 1 // each call asks about the keys of one tag
	LogsOnly                   // every rule is a Log
	OneMode                    // no rule changes its mode
	Enforced                   // no rule is in shadow, each is a Log or a Counter, and logs stay short
)

// NarrowDifferential is Differential with a part of the histories.
func NarrowDifferential(t *testing.T, ops int, seed uint64, a, b throttle.Store, clock *ManualClock, n Narrow) {
	t.Helper()
	h := &countersHistory{t: t, Rand: rand.New(rand.NewPCG(seed, 0)), stores: [2]throttle.Store{a, b}, clock: clock, narrow: n}
	h.setPolicy()
	seen := map[string]int{}
	for i := range ops {
		h.moveClock()
		name, op := h.operation()
		left, right := op(a), op(b)
		if !reflect.DeepEqual(left, right) {
			t.Fatalf("seed %d, operation %d, %s:\n%+v\n%+v", seed, i, name, left, right)
		}
		seen[name+": "+left.outcome()]++
	}
	t.Logf("seed %d, %d operations: %v", seed, ops, seen)
}

// The history's windows are short, so that every edge is met often; the clock never goes further back
// than backAtMost from the latest instant it showed. Keys outlive both together: so it shows in no answer
// whether a key's expiry freed it.
const (
	windowAtMost = 4 * time.Second
	backAtMost   = 6 * time.Second
	historyTTL   = time.Hour
)

type countersHistory struct {
	*rand.Rand
	t       *testing.T
	stores  [2]throttle.Store
	clock   *ManualClock
	behind  time.Duration // of the latest instant shown
	narrow  Narrow
	rules   [historyFamilies][]historyRule
	burst   burst
	refunds []throttle.Refund // of takes that were allowed, the latest
}

// countersAnswer is what a caller sees of one operation.
type countersAnswer struct {
	Taken throttle.Taken
	Error string
}

func (a countersAnswer) outcome() string {
	switch {
	case a.Error != "":
		return a.Error
	case a.Taken.Allowed:
		return "allowed"
	}
	return "done"
}

type countersOperation func(throttle.Store) countersAnswer

func (h *countersHistory) moveClock() {
	h.burst.left--
	switch n := h.IntN(100); {
	case n < 70: // several events in one millisecond
	case h.burst.left > 0:
		h.step(h.millis(5))
	case n < 94:
		h.step(h.millis(150))
	case n < 97:
		h.step(h.millis(int64(2 * windowAtMost / time.Millisecond)))
	case n < 98:
		h.step(h.millis(int64(3 * windowAtMost / time.Millisecond)))
	default:
		h.step(-min(h.millis(3000), backAtMost-h.behind))
	}
}

// burst is a time of many events of one kind for one subject, so that logs overflow.
type burst struct {
	left  int // operations
	event throttle.Event
}

func (h *countersHistory) step(d time.Duration) {
	h.clock.Advance(d)
	h.behind = max(0, h.behind-d)
}

func (h *countersHistory) millis(below int64) time.Duration {
	return time.Duration(h.Int64N(below)) * time.Millisecond
}

func (h *countersHistory) operation() (string, countersOperation) {
	switch n := h.IntN(1000); {
	case n < 30:
		h.changeRule()
	case n < 35:
		h.setPolicy()
	case n < 37 && h.narrow != Enforced:
		h.burst = burst{left: 600, event: h.event()}
	}
	switch n := h.IntN(100); {
	case h.burst.left > 0 && n < 40:
		return "force", h.take(true)
	case n < 62:
		return "take", h.take(false)
	case n < 70:
		return "force", h.take(true)
	case n < 84:
		return "peek", h.peek()
	case n < 99:
		return "refund", h.refund()
	}
	return "reset", h.reset()
}

func (h *countersHistory) take(force bool) countersOperation {
	t := throttle.Take{ID: h.Uint32(), Groups: h.groups(h.event()), Force: force}
	recorded := false
	return func(s throttle.Store) countersAnswer {
		taken, err := s.Take(h.t.Context(), t)
		if err == nil && taken.Allowed && !recorded {
			recorded = true
			h.remember(t, taken)
		}
		return answer(taken, err)
	}
}

// remember keeps a take for a refund to come: of all its groups, or of some.
func (h *countersHistory) remember(t throttle.Take, taken throttle.Taken) {
	r := throttle.Refund{ID: t.ID, At: taken.At}
	verdicts := taken.Verdicts
	for _, g := range t.Groups {
		own := verdicts[:len(g.Plan.Cells)]
		verdicts = verdicts[len(g.Plan.Cells):]
		if h.IntN(4) == 0 {
			continue
		}
		r.Groups = append(r.Groups, g)
		for i, v := range own {
			r.Uncharged = append(r.Uncharged, g.Plan.Cells[i].Shadow && v.Refused && !t.Force)
		}
	}
	if !slices.Contains(r.Uncharged, true) {
		r.Uncharged = nil
	}
	if h.refunds = append(h.refunds, r); len(h.refunds) > 16 {
		h.refunds = h.refunds[1:]
	}
}

func (h *countersHistory) peek() countersOperation {
	t := throttle.Take{Groups: h.groups(h.event())}
	return func(s throttle.Store) countersAnswer {
		return answer(s.Peek(h.t.Context(), t))
	}
}

// refund gives back one of the latest takes, perhaps once more, or what never was.
func (h *countersHistory) refund() countersOperation {
	r := throttle.Refund{ID: h.Uint32(), At: h.clock.Now().Truncate(time.Millisecond), Groups: h.groups(throttle.Send)}
	if len(h.refunds) > 0 && h.IntN(10) > 0 {
		r = h.refunds[h.IntN(len(h.refunds))]
	}
	return func(s throttle.Store) countersAnswer {
		return answer(throttle.Taken{}, s.Refund(h.t.Context(), r))
	}
}

func (h *countersHistory) reset() countersOperation {
	tag := historyKey(0, h.IntN(historySubjects)).Tag
	return func(s throttle.Store) countersAnswer {
		return answer(throttle.Taken{}, s.Reset(h.t.Context(), tag))
	}
}

func answer(t throttle.Taken, err error) countersAnswer {
	switch {
	case err == nil:
		return countersAnswer{Taken: t}
	case errors.Is(err, throttle.ErrUnavailable):
		return countersAnswer{Error: "unavailable"}
	}
	return countersAnswer{Error: fmt.Sprint(err)}
}
