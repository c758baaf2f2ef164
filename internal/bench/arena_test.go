package bench

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// schedule is what an adversary does, one move after another.
type schedule []move

// move waits and then tries.
type move struct {
	// wait comes first; or as long as the last refusal said; or until the last millisecond of a minute of the clock's.
	wait       time.Duration
	told, edge bool
	// tries are made at one instant, until one is refused.
	tries int
}

// arena is where schedules are played: each against a phone that is new, with a clock that stands.
type arena struct {
	*ledger
	phones int
}

func newArena(t testing.TB, open opener, rules *throttle.RuleSet) *arena {
	return &arena{ledger: newLedger(t, open, rules)}
}

// play returns the most events of one interval of length searched. An event that comes when the interval's first is
// exactly as old as that is in the next one.
func (a *arena) play(s schedule) int {
	a.phones++
	who, told := person(a.phones, 1), time.Duration(0)
	var admitted []time.Time
	for _, m := range s {
		a.clock.Advance(m.length(a.clock.Now(), told))
		told = 0
		for range m.tries {
			if told = a.ask(throttle.Send, "login", who); told > 0 {
				break
			}
			admitted = append(admitted, a.clock.Now().Truncate(time.Millisecond))
		}
	}
	return densest(admitted, searched)
}

func (m move) length(now time.Time, told time.Duration) time.Duration {
	switch {
	case m.told:
		return told
	case m.edge:
		return now.Truncate(searched).Add(searched - time.Millisecond).Sub(now.Truncate(time.Millisecond))
	}
	return m.wait
}

// densest returns the most of all, in their order, that lie within less than window of each other.
func densest(all []time.Time, window time.Duration) (most int) {
	first := 0
	for i, at := range all {
		for at.Sub(all[first]) >= window {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// handmade are the schedules that are known to be bad for one algorithm or another.
func handmade(limit int) []schedule {
	const instant = time.Millisecond
	asTold := slices.Repeat(schedule{{told: true, tries: limit}}, 3*limit)
	var all []schedule
	for _, first := range []int{1, limit/2 + 1, limit} {
		for _, pause := range []time.Duration{0, searched / 2, searched - instant, searched, 2*searched - instant} {
			// Some, and after a pause as many as go; then whatever a refusal says, to the millisecond.
			all = append(all, append(schedule{{tries: first}, {wait: pause, tries: limit}}, asTold...))
		}
	}
	return append(all, append(schedule{{edge: true, tries: limit}, {wait: instant, tries: limit}}, asTold...))
}

// changed returns s with a few moves changed, put in or left out.
func (s schedule) changed(random *rand.Rand, limit int) schedule {
	s = slices.Clone(s)
	for range 1 + random.IntN(3) {
		at := random.IntN(len(s))
		switch random.IntN(4) {
		case 0:
			s = slices.Insert(s, at, randomMove(random, limit))
		case 1:
			if len(s) > 1 {
				s = slices.Delete(s, at, at+1)
			}
		case 2:
			s[at].tries = 1 + random.IntN(limit)
		default:
			s[at] = randomMove(random, limit)
		}
	}
	return s
}

func randomMove(random *rand.Rand, limit int) move {
	telling := []time.Duration{0, time.Millisecond, searched / time.Duration(limit), searched / 2, searched - time.Millisecond,
		searched, searched + time.Millisecond, time.Duration(random.Int64N(int64(2 * searched))).Truncate(time.Millisecond)}
	m := move{wait: telling[random.IntN(len(telling))], tries: 1 + random.IntN(limit)}
	m.told, m.edge = random.IntN(3) == 0, random.IntN(8) == 0
	return m
}

func TestDensestCountsHalfOpenIntervals(t *testing.T) {
	t.Parallel()
	at := func(seconds ...int) (all []time.Time) {
		for _, s := range seconds {
			all = append(all, time.Unix(int64(s), 0))
		}
		return all
	}
	for _, c := range []struct {
		all  []time.Time
		want int
	}{{nil, 0}, {at(1), 1}, {at(0, 60), 1}, {at(0, 59, 60, 118), 3}, {at(0, 0, 0, 60, 60), 3}} {
		if got := densest(c.all, time.Minute); got != c.want {
			t.Errorf("of %v: %d, want %d", c.all, got, c.want)
		}
	}
}
