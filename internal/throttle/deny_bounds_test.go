package throttle

import (
	"testing"
	"time"
	"unsafe"
)

// What the cache holds is bounded, and the newest is what it keeps.
func TestDenyCacheIsBounded(t *testing.T) {
	t.Parallel()
	c, now := newDenyCache(time.Now), time.Duration(0)
	for n := range uint64(4 * denySets * denyWays) {
		now += time.Microsecond
		id := entryID{n * 0x9e3779b97f4a7c15, n}
		c.put(denial{id: id, at: now, until: now + time.Hour})
		if _, found := c.find(id, now); !found {
			t.Fatalf("entry %d is not there", n)
		}
	}
	held := 0
	for i := range c.sets {
		for _, d := range c.sets[i] {
			if d != (denial{}) {
				held++
			}
		}
	}
	if held > denySets*denyWays || held < denySets*denyWays*9/10 {
		t.Errorf("%d entries", held)
	}
	if size, one := unsafe.Sizeof(*c)+unsafe.Sizeof(*c.sets), unsafe.Sizeof(denial{}); size > 3<<20 || one != 64 {
		t.Errorf("%d bytes, an entry of %d", size, one)
	}
}

// The place of what holds no more is taken before that of what does.
func TestDenyCacheReusesPlaces(t *testing.T) {
	t.Parallel()
	c, now := newDenyCache(time.Now), time.Duration(0)
	entry := func(n uint64, lives time.Duration) entryID {
		id := entryID{7, n}
		c.put(denial{id: id, at: now, until: now + lives})
		return id
	}
	long := entry(0, time.Hour)
	for n := range uint64(100) {
		entry(1+n, time.Millisecond)
		now += time.Millisecond
	}
	if _, found := c.find(long, now); !found {
		t.Error("an entry gave way to others that had places to take")
	}
}
