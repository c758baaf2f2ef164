package memstore_test

import (
	"runtime"
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// phonePlan is what a phone is asked about a send by rules like the built-in policy's.
func phonePlan() *throttle.Plan {
	p := &throttle.Plan{Mark: 7, TTL: 24 * time.Hour}
	for i, limit := range []int64{5, 10, 1, 4, 8} {
		c := throttle.Cell{Algorithm: throttle.Log, Limit: limit, Window: []time.Duration{time.Hour, 24 * time.Hour, time.Minute, time.Hour, 24 * time.Hour}[i], Charge: true}
		if i > 1 {
			c.Mark = 7
		}
		p.Cells = append(p.Cells, c)
	}
	p.Cells = append(p.Cells, throttle.Cell{Section: throttle.Guess, Algorithm: throttle.Log, Limit: 10, Window: time.Hour, Mark: 7})
	p.Retain = [throttle.Events]time.Duration{throttle.Send: 24 * time.Hour, throttle.Guess: time.Hour}
	p.Keep = [throttle.Events]throttle.Keep{throttle.Send: {All: 10, PerMark: 8}, throttle.Guess: {PerMark: 10}}
	return p
}

func BenchmarkTake(b *testing.B) {
	c, clock := small(1 << 20)
	p := phonePlan()
	groups := make([][]throttle.Group, 1<<12)
	for i := range groups {
		groups[i] = []throttle.Group{groupOf(i, p), groupOf(-1-i%256, logged(25, 5*time.Minute))}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%len(groups) == 0 {
			clock.Advance(4 * time.Hour)
		}
		if taken, err := c.Take(b.Context(), throttle.Take{ID: uint32(i), Groups: groups[i%len(groups)]}); err != nil || !taken.Allowed {
			b.Fatal(taken, err)
		}
	}
}

func BenchmarkTakeRefused(b *testing.B) {
	c, _ := small(1 << 20)
	g := groupOf(1, phonePlan())
	charge(b, c, g)
	t := throttle.Take{Groups: []throttle.Group{g}}
	b.ReportAllocs()
	for b.Loop() {
		if taken, _ := c.Take(b.Context(), t); taken.Allowed {
			b.Fatal("allowed")
		}
	}
}

// BenchmarkFreshKeys is an attack with numbers never seen on a full store: it costs no search for room.
func BenchmarkFreshKeys(b *testing.B) {
	c, _ := small(1 << 16)
	p := logged(1, time.Hour)
	for n := range 1 << 16 {
		charge(b, c, groupOf(n, p))
	}
	g := groupOf(-1, p)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := take(b, c, g); !isFull(err) {
			b.Fatal(err)
		}
	}
}

// The figures in DefaultMaxKeys' comment: run with -v.
func TestMemoryOfCounters(t *testing.T) {
	if testing.Short() {
		t.Skip("measures the heap")
	}
	const keys = 50_000
	perKey := func(entries int) int64 {
		clock := memstore.NewClock(nil)
		c := memstore.NewCounters(memstore.Options{Clock: clock})
		before := heap()
		p := logged(1000, time.Hour)
		for n := range keys / entries {
			for range entries {
				charge(t, c, groupOf(n, p))
			}
		}
		used := heap() - before
		runtime.KeepAlive(c)
		return used / int64(keys/entries)
	}
	one, ten, full := perKey(1), perKey(10), perKey(throttle.MaxEntries)
	t.Logf("bytes a key: %d with one entry, %d with ten, %d with %d", one, ten, full, throttle.MaxEntries)
	if one > 450 || ten > 700 || full > 6000 {
		t.Errorf("a key takes more than is said: %d, %d, %d bytes", one, ten, full)
	}
}

// After a flood of numbers memory goes back, the map's own too.
func TestMemoryOfCountersGoesBack(t *testing.T) {
	if testing.Short() {
		t.Skip("measures the heap")
	}
	c, clock := small(1 << 20)
	before := heap()
	p := logged(9, time.Minute)
	for n := range 100_000 {
		charge(t, c, groupOf(n, p))
	}
	flood := heap() - before
	clock.Advance(time.Minute)
	for range 100_000/64 + 1 {
		charge(t, c, groupOf(-1, logged(100_000, time.Hour)))
	}
	left := heap() - before
	t.Logf("%d bytes after the flood, %d when it was over", flood, left)
	if left > flood/20 {
		t.Errorf("%d bytes of %d are left", left, flood)
	}
	runtime.KeepAlive(c)
}

func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
