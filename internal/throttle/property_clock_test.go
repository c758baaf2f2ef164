package throttle_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"smsd/internal/throttle"
)

// timeline is one rule over all, asked at instants of real time, while the clock that the store reads may step.
type timeline struct {
	world
	request  throttle.Request
	window   time.Duration
	real     time.Duration
	admitted []time.Duration
	forward  []time.Duration // steps
}

func newTimeline(t *testing.T, r throttle.Rule) *timeline {
	r.Name = "a"
	request := throttle.Request{Rules: compile(t, []throttle.Rule{r}, "login"), Scene: "login"}
	return &timeline{world: newDenyWorld(t).world, request: request, window: r.Window}
}

func (l *timeline) pass(d time.Duration) {
	l.clock.Advance(d)
	l.real += d
}

// Reserve also checks that a refusal's wait is enough, and at most as long as most.
func (l *timeline) Reserve(t *rapid.T, most time.Duration) {
	_, err := l.Limiter.Reserve(context.Background(), l.request)
	var d *throttle.Denied
	if errors.As(err, &d) {
		if d.RetryAfter > most {
			t.Fatal(err)
		}
		if !rapid.Bool().Draw(t, "wait") {
			return
		}
		l.pass(d.RetryAfter)
		_, err = l.Limiter.Reserve(context.Background(), l.request)
	}
	if err != nil {
		t.Fatal(err)
	}
	l.admitted = append(l.admitted, l.real)
}

func (l *timeline) Advance(t *rapid.T) {
	l.pass(time.Duration(rapid.Int64Range(1, 40_000).Draw(t, "ms")) * time.Millisecond)
}

func (l *timeline) Step(t *rapid.T) {
	d := time.Duration(rapid.OneOf(rapid.Int64Range(-1500, 1500), rapid.Int64Range(-1e9, 1e9)).Draw(t, "ms")) * time.Millisecond
	l.clock.Advance(d)
	if d > 0 {
		l.forward = append(l.forward, l.real)
	}
}

// check looks at every window: at most limit events, and as many again for each step forward within it.
func (l *timeline) check(t *rapid.T, limit int64) {
	for _, from := range l.admitted {
		within := func(at time.Duration) bool { return at >= from && at < from+l.window }
		n, steps := count(l.admitted, within), count(l.forward, within)
		if n > limit*(1+steps) {
			t.Fatalf("%d in a window with %d steps forward", n, steps)
		}
	}
}

func count(all []time.Duration, is func(time.Duration) bool) (n int64) {
	for _, at := range all {
		if is(at) {
			n++
		}
	}
	return n
}

// A log admits at most Limit in any window, the others less than twice as many. And whatever the clock does, nobody waits longer than a window (a counter's two buckets), and each step forward admits at most one
// more window's worth.
func TestWindowsAndClockSteps(t *testing.T) {
	t.Parallel()
	for algorithm, worst := range map[throttle.Algorithm]struct {
		limit func(int64) int64
		wait  time.Duration
	}{
		throttle.Log:     {func(l int64) int64 { return l }, time.Minute},
		throttle.Counter: {func(l int64) int64 { return max(1, 2*l-1) }, 2 * time.Minute},
		throttle.Fixed:   {func(l int64) int64 { return max(1, 2*l-1) }, time.Minute},
		throttle.Bucket:  {func(l int64) int64 { return max(1, 2*l-1) }, time.Minute},
	} {
		for _, steps := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, steps %v", algorithm, steps), func(t *testing.T) {
				t.Parallel()
				rapid.Check(t, func(rt *rapid.T) {
					limit := rapid.Int64Range(1, 8).Draw(rt, "limit")
					l := newTimeline(t, throttle.Rule{Limit: limit, Window: time.Minute, Algorithm: algorithm})
					actions := map[string]func(*rapid.T){
						"reserve":       func(rt *rapid.T) { l.Reserve(rt, worst.wait) },
						"reserve again": func(rt *rapid.T) { l.Reserve(rt, worst.wait) },
						"advance":       l.Advance,
						"":              func(rt *rapid.T) { l.check(rt, worst.limit(limit)) },
					}
					if steps {
						actions["step"] = l.Step
					}
					rt.Repeat(actions)
				})
			})
		}
	}
}

// A bucket lets Burst and what leaks in a window less a millisecond through, whatever the two are, and nobody waits
// longer than the time in which one event leaks.
func TestBucketsOfAnyBurst(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		r := throttle.Rule{Window: time.Minute, Algorithm: throttle.Bucket}
		r.Limit = rapid.Int64Range(1, 8).Draw(rt, "limit")
		r.Burst = rapid.Int64Range(1, 8).Draw(rt, "burst")
		l, most := newTimeline(t, r), time.Minute/time.Duration(r.Limit)+time.Millisecond
		rt.Repeat(map[string]func(*rapid.T){
			"reserve":       func(rt *rapid.T) { l.Reserve(rt, most) },
			"reserve again": func(rt *rapid.T) { l.Reserve(rt, most) },
			"and again":     func(rt *rapid.T) { l.Reserve(rt, most) },
			"advance":       l.Advance,
			"":              func(rt *rapid.T) { l.check(rt, r.Burst+r.Limit-1) },
		})
	})
}
