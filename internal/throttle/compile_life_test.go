package throttle

import (
	"testing"
	"time"
)

// A bucket's key lives as long as Burst+Limit-1 events take to leak, a fixed window's as long as the window.
func TestHowLongAnEventMatters(t *testing.T) {
	t.Parallel()
	for want, r := range map[time.Duration]Rule{
		time.Minute:                         {Name: "a", Limit: 9, Window: time.Minute, Algorithm: Fixed},
		2 * time.Minute:                     {Name: "a", Limit: 9, Window: time.Minute, Algorithm: Counter},
		2*time.Minute + time.Second:         {Name: "a", Limit: 60, Window: time.Minute, Algorithm: Bucket, Burst: 61},
		time.Minute + 8572*time.Millisecond: {Name: "a", Limit: 7, Window: time.Minute, Algorithm: Bucket, Burst: 1},
		2 * MaxWindow:                       {Name: "a", Limit: 1, Window: MaxWindow, Algorithm: Bucket},
	} {
		p := mustCompile(t, []Rule{r}, "login").plans["login"][Send][0].plan
		if p.TTL != want || p.Retain != [Events]time.Duration{} {
			t.Errorf("%s: TTL %s, want %s; retain %v", r.Algorithm, p.TTL, want, p.Retain)
		}
	}
}

func TestSizeOfABucket(t *testing.T) {
	t.Parallel()
	for want, r := range map[int64]Rule{
		0: {Limit: 9, Algorithm: Fixed},
		9: {Limit: 9, Algorithm: Bucket},
		3: {Limit: 9, Algorithm: Bucket, Burst: 3},
	} {
		if got := r.Size(); got != want {
			t.Errorf("%d, want %d", got, want)
		}
		if u := (Usage{Limit: r.Limit, Burst: r.Size(), Used: 2}); want > 0 && u.Remaining() != want-2 {
			t.Errorf("remaining %d of %d", u.Remaining(), want)
		}
	}
}
