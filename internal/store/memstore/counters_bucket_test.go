package memstore

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"smsd/internal/throttle"
)

// drawBucket draws numbers that a policy may have: what is full is empty within MaxWindow.
func drawBucket(t *rapid.T) numbers {
	window := rapid.Int64Range(throttle.MinWindow.Milliseconds(), throttle.MaxWindow.Milliseconds()).Draw(t, "window")
	limit := rapid.OneOf(rapid.Int64Range(1, 20), rapid.Int64Range(1, throttle.MaxLimit)).Draw(t, "limit")
	most := min(throttle.MaxLimit, limit*throttle.MaxWindow.Milliseconds()/window)
	return numbers{
		algorithm: throttle.Bucket, limit: limit, window: window,
		burst: rapid.OneOf(rapid.Int64Range(1, min(20, most)), rapid.Int64Range(1, most)).Draw(t, "burst"),
	}
}

// A Redis script computes in doubles, which are exact below 2^53: every level and sum must stay there.
func TestBucketLevelsStayExact(t *testing.T) {
	t.Parallel()
	n := numbers{algorithm: throttle.Bucket, limit: throttle.MaxLimit, window: throttle.MaxWindow.Milliseconds(), burst: throttle.MaxLimit}
	r := record{algorithm: throttle.Bucket, window: n.window, limit: n.limit, level: n.mostLevel()}
	if r.plus(n, 0) != r {
		t.Error("a level above the most")
	}
	if sum := n.mostLevel() + n.window; sum >= 1<<53 || sum > throttle.MaxCount*n.window {
		t.Errorf("%d is not below 2^53, or is of more events than MaxCount", sum)
	}
}

// The wait is the least after which one more event fits, in exact arithmetic, and no more than the window.
func TestBucketWaitIsExact(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		n := drawBucket(t)
		level := rapid.OneOf(rapid.Int64Range(0, n.mostLevel()), rapid.Int64Range(max(0, n.burst-1)*n.window, min(n.burst*n.window+5, n.mostLevel()))).Draw(t, "level")
		r := record{algorithm: throttle.Bucket, window: n.window, limit: n.limit, level: level}
		wait := r.wait(n, 0)
		if overflows(r, n, 0) != (wait > 0) || wait > n.window {
			t.Fatalf("wait %d", wait)
		}
		if wait > 0 && (overflows(r, n, wait) || !overflows(r, n, wait-1)) {
			t.Fatalf("wait %d is not exact", wait)
		}
	})
}

// overflows is the rule's definition, in events: the level, less what has leaked, has no room for one more.
func overflows(r record, n numbers, now int64) bool {
	level := big.NewRat(r.level, n.window)
	if level.Sub(level, big.NewRat(now*n.limit, n.window)); level.Sign() < 0 {
		level.SetInt64(0)
	}
	return level.Add(level, big.NewRat(1, 1)).Cmp(new(big.Rat).SetInt64(n.burst)) > 0
}

// Whatever a record was written with, read by any other numbers it says at least what it said before, up to what the new
// numbers hold, and no wait is longer than the rule's own longest.
func TestAChangeGivesNoFreshStart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		from, to := drawNumbers(t, "from"), drawNumbers(t, "to")
		now := int64(1784600000123)
		r := record{algorithm: from.algorithm, window: from.window, limit: from.limit, start: now}
		for range rapid.IntRange(1, 12).Draw(t, "events") {
			if standing, live := r.standing(now); live {
				r = standing
			}
			r = r.plus(from, now)
			now += rapid.Int64Range(0, from.window).Draw(t, "pause")
		}
		standing, live := r.standing(now)
		if !live {
			t.Skip("all is forgotten")
		}
		used, changed := standing.used(now), standing.as(to, now)
		if most := to.burst + to.limit - 1; to.algorithm == throttle.Bucket {
			used = min(used, most)
		}
		if got := changed.used(now); got < used {
			t.Fatalf("used %d becomes %d", used, got)
		}
		longest := to.window
		if to.algorithm == throttle.Counter {
			longest *= 2
		}
		if wait := changed.wait(to, now); wait > longest {
			t.Fatalf("wait %d of a window of %d", wait, to.window)
		}
	})
}

func drawNumbers(t *rapid.T, label string) numbers {
	n := drawBucket(t)
	n.algorithm = rapid.SampledFrom([]throttle.Algorithm{throttle.Counter, throttle.Bucket, throttle.Fixed}).Draw(t, label)
	return n
}
