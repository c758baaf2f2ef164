package throttle

import (
	"strconv"
	"testing"
	"time"
	"unsafe"
)

// stopped is a table whose clock stands at now.
func stopped(now *time.Time) *blockTable {
	return newBlockTable(newDenyCache(func() time.Time { return *now }))
}

// inOneSet is the n-th of those who share one set's places.
func inOneSet(n uint64) entryID { return entryID{7, n} }

func (t *blockTable) refusedTimes(id entryID, times int, length time.Duration) {
	for range times {
		t.refused(id, generation{}, length)
	}
}

// However many are refused, the table does not grow, and the newest is held.
func TestBlocksAreBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	b := stopped(&now)
	for n := range uint64(8 * blockSets * blockWays) {
		now = now.Add(time.Microsecond)
		id := entryID{n * 0x9e3779b97f4a7c15, n}
		b.refusedTimes(id, int(blockAfter), time.Minute)
		if b.rest(id) != time.Minute {
			t.Fatalf("%d is not blocked", n)
		}
	}
	if size := unsafe.Sizeof(*b) + blockSets*blockWays*unsafe.Sizeof(suspect{}); size > 2<<20 {
		t.Errorf("%d bytes", size)
	}
}

// Whoever is refused now and then, in any number, does not push out a block; a block that is over has no place.
func TestBlocksOutliveCounts(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	b := stopped(&now)
	for n := range uint64(blockWays - 1) {
		b.refusedTimes(inOneSet(n), blockAfter, time.Minute)
	}
	for n := range uint64(1000) {
		b.refusedTimes(inOneSet(100+n), blockAfter-1, time.Minute)
		now = now.Add(time.Millisecond)
	}
	for n := range uint64(blockWays - 1) {
		if b.rest(inOneSet(n)) != 59*time.Second {
			t.Errorf("block %d: %s are left", n, b.rest(inOneSet(n)))
		}
	}
	// Where all are blocked, the one whose block ends first gives way.
	b.refusedTimes(inOneSet(50), blockAfter, 5*time.Minute)
	b.refusedTimes(inOneSet(51), blockAfter, 5*time.Minute)
	if b.rest(inOneSet(50)) != 5*time.Minute || b.rest(inOneSet(51)) != 5*time.Minute {
		t.Error("the longer blocks are not held")
	}
	now = now.Add(59 * time.Second)
	for n := range uint64(2) {
		b.refusedTimes(inOneSet(60+n), blockAfter, time.Second)
	}
	if b.rest(inOneSet(50)) == 0 || b.rest(inOneSet(51)) == 0 {
		t.Error("a block gave way to others that had places to take")
	}
}

// Refusals that were under way when a block began neither prolong it nor count for the next one.
func TestABlockThatRunsStays(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	b := stopped(&now)
	b.refusedTimes(inOneSet(1), blockAfter, 5*time.Second)
	now = now.Add(time.Second)
	b.refusedTimes(inOneSet(1), blockAfter, 5*time.Second)
	if rest := b.rest(inOneSet(1)); rest != 4*time.Second {
		t.Errorf("%s are left", rest)
	}
	now = now.Add(4 * time.Second)
	b.refusedTimes(inOneSet(1), blockAfter-1, 5*time.Second)
	if rest := b.rest(inOneSet(1)); rest != 0 {
		t.Errorf("blocked again after four refusals, for %s", rest)
	}
}

// The wait that is told is enough: it is rounded up to a millisecond.
func TestRestIsEnough(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	b := stopped(&now)
	b.refusedTimes(inOneSet(1), blockAfter, time.Minute)
	now = now.Add(time.Microsecond)
	if rest := b.rest(inOneSet(1)); rest != time.Minute {
		t.Errorf("%s are left", rest)
	}
}

// A short block that ends does not hide a longer one that began before it.
func TestIdleAfterTheLastBlock(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	b := stopped(&now)
	if !b.idle() {
		t.Error("not idle before the first block")
	}
	b.refusedTimes(inOneSet(1), blockAfter, time.Minute)
	b.refusedTimes(inOneSet(2), blockAfter, time.Second)
	start := now
	for _, c := range []struct {
		after time.Duration
		idle  bool
	}{{time.Second, false}, {time.Minute - 1, false}, {time.Minute, true}} {
		if now = start.Add(c.after); b.idle() != c.idle {
			t.Errorf("after %s: idle %t", c.after, b.idle())
		}
	}
}

// A block that was given back has no claim to its place, however long it would last.
func TestBlockThatWasGivenBackGivesWay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	b := stopped(&now)
	for range blockAfter {
		b.refused(inOneSet(0), generation{place: 1}, MaxBlock)
	}
	for n := range uint64(blockWays - 1) {
		b.refusedTimes(inOneSet(1+n), blockAfter, time.Minute)
	}
	b.returned[1].Add(1)
	b.refusedTimes(inOneSet(9), blockAfter, time.Minute)
	for _, n := range []uint64{1, 2, 3, 9} {
		if b.rest(inOneSet(n)) == 0 {
			t.Errorf("%d has no place", n)
		}
	}
}

// Tags fill the places as evenly as chance would, and have the same ones in every run.
func TestPlacesOfTags(t *testing.T) {
	t.Parallel()
	h, taken := newHasher(testSecret), map[uint64]bool{}
	for n := range rememberedTags {
		tag := h.tag(Phone, "default", strconv.Itoa(n))
		if tag.place() >= rememberedTags {
			t.Fatalf("tag %s has place %d", tag, tag.place())
		}
		taken[tag.place()] = true
	}
	if len(taken) < rememberedTags*3/5 { // of as many tags as places, chance leaves a share of 1/e without one
		t.Errorf("%d tags share %d places", rememberedTags, len(taken))
	}
	if a, b := h.tag(Phone, "", "+8613800138000"), h.tag(IPNet, "", "192.0.2.0/24"); a.place() == b.place() {
		t.Error("tests with this phone and this network can't tell them apart")
	}
}

// Where nobody knows what was given back, nothing that was remembered of any tag stands.
func TestForgetAll(t *testing.T) {
	t.Parallel()
	var m remembered
	m.init(time.Now)
	var all []generation
	for n := range 1000 {
		all = append(all, m.generation(Tag(strconv.Itoa(n))))
	}
	m.forgetAll()
	for n, g := range all {
		if m.stands(g) {
			t.Fatalf("what depends on tag %d stands", n)
		}
	}
}
