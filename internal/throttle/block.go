package throttle

import (
	"sync"
	"sync/atomic"
	"time"
)

// An address or a device that is refused blockAfter times within blockWithin is refused here, without asking the
// store, for [Request].Block.
const (
	blockAfter  = 5
	blockWithin = 10 * time.Second
	// MaxBlock is the longest block.
	MaxBlock = 5 * time.Minute
)

// The table has a fixed number of places, and so a fixed size: 8,192 places of some 120 bytes. To need one, an address has to use
// up a rule's whole limit first.
const (
	blockSets = 1 << 11
	blockWays = 4
)

// blockTable knows whom the store has refused of late, and who is blocked for it. A nil one knows nothing. What it holds
// of somebody is lost when a newer one needs the place, which costs five trips to the store at most, when
// something of the tag that it depends on was given back, and under another policy version.
// Safe for concurrent use; reading takes no lock.
type blockTable struct {
	*remembered
	writing sync.Mutex
	last    atomic.Int64 // when the last block ends, since start: as a rule there is none, and nothing to look for
	sets    [blockSets][blockWays]atomic.Pointer[suspect]
}

// suspect is one address or device, immutable. All instants are since the table's start.
type suspect struct {
	id    entryID
	since generation
	// refusals are the instants of the latest ones, the oldest first.
	refusals [blockAfter]time.Duration
	times    int
	until    time.Duration // the end of the block; 0: not blocked
}

// newBlockTable returns an empty table that forgets what c forgets; nil without one.
func newBlockTable(c *denyCache) *blockTable {
	if c == nil {
		return nil
	}
	return &blockTable{remembered: &c.remembered}
}

// rest returns how long id is still blocked; 0: it is not.
func (t *blockTable) rest(id entryID) time.Duration {
	now := t.elapsed()
	if s := t.find(id, now); s != nil && s.until != 0 {
		return (s.until - now + time.Millisecond - 1).Truncate(time.Millisecond)
	}
	return 0
}

// find returns what is held of id, or nil.
func (t *blockTable) find(id entryID, now time.Duration) *suspect {
	set := &t.sets[id[0]%blockSets]
	for i := range set {
		if s := set[i].Load(); s != nil && s.id == id && t.live(s, now) {
			return s
		}
	}
	return nil
}

// live says that s still matters. What is of later than now is of before the clock stepped back: it would hold for
// the whole step.
func (t *blockTable) live(s *suspect, now time.Duration) bool {
	end := s.until
	if end == 0 {
		end = s.latest() + blockWithin
	}
	return s.latest() <= now && now < end && t.stands(s.since)
}

func (s *suspect) latest() time.Duration { return s.refusals[s.times-1] }

// refused counts a refusal of id, and blocks it for length if it is the fifth. A block that runs stays as it is:
// whoever shares an address with somebody who hammers must see its end.
func (t *blockTable) refused(id entryID, since generation, length time.Duration) {
	t.writing.Lock()
	defer t.writing.Unlock()
	now := t.elapsed()
	old := t.find(id, now)
	if old != nil && old.until != 0 {
		return
	}
	next := old.again(id, since, now, length)
	t.place(id, now).Store(next)
	t.last.Store(max(t.last.Load(), int64(next.until)))
}

// idle says that nobody is blocked.
func (t *blockTable) idle() bool { return int64(t.elapsed()) >= t.last.Load() }

// again is s (nil: nobody yet) after one more refusal.
func (s *suspect) again(id entryID, since generation, now, length time.Duration) *suspect {
	next := &suspect{id: id, since: since}
	for i := 0; s != nil && i < s.times; i++ {
		if s.refusals[i] > now-blockWithin {
			next.refusals[next.times] = s.refusals[i]
			next.times++
		}
	}
	next.refusals[next.times] = now
	next.times++
	if next.times == blockAfter {
		next.until = now + length
	}
	return next
}

// place returns the one that id has, or else one that does not matter, or else that of who was refused longest ago
// and, if it can be, is not blocked.
func (t *blockTable) place(id entryID, now time.Duration) *atomic.Pointer[suspect] {
	set := &t.sets[id[0]%blockSets]
	best, worth := &set[0], [2]time.Duration{MaxBlock, now + 1}
	for i := range set {
		s := set[i].Load()
		switch {
		case s != nil && s.id == id:
			return &set[i]
		case s == nil || !t.live(s, now):
			best, worth = &set[i], [2]time.Duration{-1}
		case less(s.worth(now), worth):
			best, worth = &set[i], s.worth(now)
		}
	}
	return best
}

// worth orders those who matter: by what is left of their blocks, then by their latest refusals.
func (s *suspect) worth(now time.Duration) [2]time.Duration {
	return [2]time.Duration{max(0, s.until-now), s.latest()}
}

func less(a, b [2]time.Duration) bool { return a[0] < b[0] || a[0] == b[0] && a[1] < b[1] }
