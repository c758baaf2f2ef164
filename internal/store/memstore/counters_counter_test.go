package memstore

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"smsd/internal/throttle"
)

func counterOf(limit, window int64) numbers {
	return numbers{algorithm: throttle.Counter, limit: limit, window: window}
}

// A Redis script computes in doubles, which are exact below 2^53: every product must stay there, also
// when charges by force fill a record of the longest window.
func TestCounterProductsStayExact(t *testing.T) {
	t.Parallel()
	window := throttle.MaxWindow.Milliseconds()
	r := record{algorithm: throttle.Counter, window: window, current: throttle.MaxCount, previous: throttle.MaxCount}
	if r = r.plus(counterOf(1, window), 0); r.current != throttle.MaxCount {
		t.Errorf("current %d", r.current)
	}
	if r = r.as(counterOf(1, window-1), 0); r.previous != throttle.MaxCount {
		t.Errorf("previous %d", r.previous)
	}
	if product := throttle.MaxCount * window; product >= 1<<53 {
		t.Errorf("%d is not below 2^53", product)
	}
}

// The wait is the least after which the rule would not refuse, in exact arithmetic.
func TestCounterWaitIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		window := rapid.Int64Range(throttle.MinWindow.Milliseconds(), throttle.MaxWindow.Milliseconds()).Draw(t, "window")
		count := rapid.OneOf(rapid.Int64Range(0, 20), rapid.Int64Range(0, throttle.MaxCount))
		r := record{algorithm: throttle.Counter, window: window, current: count.Draw(t, "current"), previous: count.Draw(t, "previous")}
		limit := rapid.OneOf(rapid.Int64Range(1, 20), rapid.Int64Range(1, throttle.MaxLimit)).Draw(t, "limit")
		now := rapid.Int64Range(0, window-1).Draw(t, "now")
		wait := r.wait(counterOf(limit, window), now)
		if refuses(r, limit, now) != (wait > 0) {
			t.Fatalf("wait %d, refuses %v", wait, refuses(r, limit, now))
		}
		if wait > 0 && (refuses(r, limit, now+wait) || !refuses(r, limit, now+wait-1)) {
			t.Fatalf("wait %d is not exact", wait)
		}
		if wait > 2*window {
			t.Fatalf("wait %d is more than two windows", wait)
		}
	})
}

// refuses is the rule's definition: one more event would bring the estimate over the limit.
func refuses(r record, limit, now int64) bool {
	current, previous, start := r.current, r.previous, r.start
	for ; now >= start+r.window; start += r.window {
		current, previous = 0, current
	}
	weight := big.NewRat(start+r.window-now, r.window)
	estimate := weight.Mul(weight, new(big.Rat).SetInt64(previous))
	estimate.Add(estimate, new(big.Rat).SetInt64(current+1))
	return estimate.Cmp(new(big.Rat).SetInt64(limit)) > 0
}
