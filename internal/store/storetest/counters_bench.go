package storetest

import (
	"errors"
	"math/rand/v2"
	"slices"
	"time"

	"smsd/internal/throttle"
)

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
