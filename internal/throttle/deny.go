package throttle

import (
	"sync"
	"time"
)

// denyFor is how long a refusal is repeated without asking the store: what another instance gives back
// can't be seen sooner.
const denyFor = 2 * time.Second

// The cache has a fixed number of places, and so a fixed size: 32,768 places of 128 bytes, with what
// hundreds of attackers leave behind in two seconds. A library's cache would bring queues and a policy of what to keep;
// here any entry may be lost at any time, so an array does. It holds the entries themselves: of pointers each would be one
// more miss of the processor's caches, of which this cache is mostly made, and one more object to collect.
const (
	denySets = 1 << 14
	denyWays = 2
)

// denyCache remembers what the store has refused, or would refuse next. It never allows, never fails, and a nil
// one knows nothing. An entry is lost when its deadline is over, when a newer one needs its place, or when
// something of the tag that it depends on was given back; one of another policy version is never found.
// Safe for concurrent use; nobody holds a lock but for a look at one set.
type denyCache struct {
	remembered
	sets [denySets]denySet
}

type denySet struct {
	mu   sync.Mutex
	ways [denyWays]denial
}

// denial is one entry; the zero one holds nothing.
type denial struct {
	id       entryID
	at       time.Time // when it was learned
	until    time.Time // its whole deadline
	decision Decision  // its wait is as of at
	since    generation
}

// newDenyCache returns an empty cache that goes by now; nil without one.
func newDenyCache(now func() time.Time) *denyCache {
	if now == nil {
		return nil
	}
	c := &denyCache{}
	c.init(now)
	return c
}

// find returns the entry of that name; false if there is none that holds.
func (c *denyCache) find(id entryID, now time.Time) (denial, bool) {
	d, found := c.look(id, now)
	return d, found && c.stands(d.since)
}

// look is find that also returns what no longer stands, since something was given back.
func (c *denyCache) look(id entryID, now time.Time) (denial, bool) {
	set := &c.sets[id[0]%denySets]
	set.mu.Lock()
	defer set.mu.Unlock()
	for i := range set.ways {
		if d := &set.ways[i]; d.id == id && d.timely(now) {
			return *d, true
		}
	}
	return denial{}, false
}

// live says that d still holds.
func (c *denyCache) live(d *denial, now time.Time) bool { return d.timely(now) && c.stands(d.since) }

// timely says that d holds by the clock. One that was learned later than now is of before the clock stepped back: it would
// hold for the whole step.
func (d *denial) timely(now time.Time) bool { return now.Before(d.until) && !now.Before(d.at) }

// put keeps d in place of what it follows on, of what holds no more, or else of what is oldest.
func (c *denyCache) put(d denial) {
	set := &c.sets[d.id[0]%denySets]
	set.mu.Lock()
	defer set.mu.Unlock()
	place, oldest := &set.ways[0], d.at.Add(1)
	for i := range set.ways {
		old := &set.ways[i]
		if old.id == d.id {
			place = old
			break
		}
		var at time.Time // of one that holds nothing any more: before all others
		if c.live(old, d.at) {
			at = old.at
		}
		if at.Before(oldest) {
			place, oldest = old, at
		}
	}
	*place = d
}

// fresh says that d may be repeated without asking.
func (d *denial) fresh(now time.Time) bool { return now.Sub(d.at) < denyFor }

// told is the decision with what is left of the wait, in whole milliseconds, rounded up.
func (d *denial) told(now time.Time) Decision {
	told := d.decision
	told.RetryAfter = (d.until.Sub(now) + time.Millisecond - 1).Truncate(time.Millisecond)
	return told
}
