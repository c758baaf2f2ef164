package throttle

import (
	"testing"
	"time"
	"unsafe"
)

// What the cache holds is bounded, and the newest is what it keeps.
func TestDenyCacheIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	c := newDenyCache(func() time.Time { return now })
	for n := range uint64(4 * denySets * denyWays) {
		now = now.Add(time.Microsecond)
		id := entryID{n * 0x9e3779b97f4a7c15, n}
		c.put(denial{id: id, at: now, until: now.Add(time.Hour)})
		if _, found := c.find(id, now); !found {
			t.Fatalf("entry %d is not there", n)
		}
	}
	held := 0
	for i := range c.sets {
		for _, d := range c.sets[i].ways {
			if d != (denial{}) {
				held++
			}
		}
	}
	if held > denySets*denyWays || held < denySets*denyWays*9/10 {
		t.Errorf("%d entries", held)
	}
	if size := unsafe.Sizeof(*c); size > 6<<20 {
		t.Errorf("%d bytes", size)
	}
}

// The place of what holds no more is taken before that of what does.
func TestDenyCacheReusesPlaces(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	c := newDenyCache(func() time.Time { return now })
	entry := func(n uint64, lives time.Duration) entryID {
		id := entryID{7, n}
		c.put(denial{id: id, at: now, until: now.Add(lives)})
		return id
	}
	long := entry(0, time.Hour)
	for n := range uint64(100) {
		entry(1+n, time.Millisecond)
		now = now.Add(time.Millisecond)
	}
	if _, found := c.find(long, now); !found {
		t.Error("an entry gave way to others that had places to take")
	}
}
