package bench

import (
	"math"
	"math/bits"
	"sync/atomic"
	"testing"
	"time"
)

// fineness is how many bits of a duration its bucket keeps: no bucket is wider than a 64th of where it begins.
const fineness = 6

// histogram counts durations, in the buckets of HdrHistogram. Safe for concurrent use; the zero histogram is empty.
type histogram struct {
	counts [(64 - fineness) << fineness]atomic.Int64
}

// bucket is the place of a duration: itself if it is small, else its leading bits and how many were cut off.
func bucket(d time.Duration) int {
	v := uint64(max(0, d))
	cut := max(0, bits.Len64(v)-fineness-1)
	return cut<<fineness + int(v>>cut)
}

// longestIn is the longest duration of a bucket.
func longestIn(bucket int) time.Duration {
	cut := max(0, bucket>>fineness-1)
	return time.Duration((uint64(bucket-cut<<fineness)+1)<<cut - 1)
}

func (h *histogram) add(d time.Duration) { h.counts[bucket(d)].Add(1) }

// merge adds what another has counted.
func (h *histogram) merge(other *histogram) {
	for i := range h.counts {
		h.counts[i].Add(other.counts[i].Load())
	}
}

// quantile returns a duration that a share q of all do not exceed, at most a 64th too long; 0 of none.
func (h *histogram) quantile(q float64) time.Duration {
	var all int64
	for i := range h.counts {
		all += h.counts[i].Load()
	}
	left := int64(math.Ceil(q * float64(all)))
	for i := range h.counts {
		if left -= h.counts[i].Load(); left <= 0 && all > 0 {
			return longestIn(i)
		}
	}
	return 0
}

func TestBucketsAreFineAndWithoutGaps(t *testing.T) {
	t.Parallel()
	for _, d := range []time.Duration{0, 1, 63, 64, 127, 128, 129, 1000, 123_456, time.Millisecond, time.Minute, math.MaxInt64} {
		i := bucket(d)
		if top := longestIn(i); top < d || top-d > d/64 {
			t.Errorf("%d is counted as %d", d, top)
		}
		if i > 0 && longestIn(i-1) >= d {
			t.Errorf("%d belongs in bucket %d already", d, i-1)
		}
	}
}

func TestQuantiles(t *testing.T) {
	t.Parallel()
	var h, other histogram
	if h.quantile(0.99) != 0 {
		t.Error("a quantile of nothing")
	}
	for i := range 500 {
		h.add(time.Duration(i+1) * time.Microsecond)
		other.add(time.Duration(i+501) * time.Microsecond)
	}
	h.merge(&other)
	for _, c := range []struct {
		q    float64
		want time.Duration
	}{{0.5, 500 * time.Microsecond}, {0.99, 990 * time.Microsecond}, {0.999, 999 * time.Microsecond}, {1, time.Millisecond}} {
		if got := h.quantile(c.q); got < c.want || got > c.want+c.want/64 {
			t.Errorf("%v of 1 to 1000 µs: %s", c.q, got)
		}
	}
}
