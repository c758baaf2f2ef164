package throttle

import (
	"math"
	"sync"
	"time"
)

// denyFor is how long a refusal is repeated without asking the store: what another instance gives back
// can't be seen sooner.
const denyFor = 2 * time.Second

// The cache has a fixed number of places, and so a fixed size: 32,768 places of 64 bytes, with what
// hundreds of attackers leave behind in two seconds. A library's cache would bring queues and a policy of what to keep;
// here any entry may be lost at any time, so an array does. It holds the entries themselves: of pointers each would be one
// more miss of the processor's caches, of which this cache is mostly made, and one more object to collect.
const (
	denySets  = 1 << 14
	denyWays  = 2
	denyLocks = 1 << 9 // each for many sets: so few stay in the processor's caches, and so many are hardly ever wanted twice
)

// denyCache remembers what the store has refused, or would refuse next. It never allows, never fails, and a nil
// one knows nothing. An entry is lost when its deadline is over, when a newer one needs its place, or when
// something of the tag that it depends on was given back; one of another policy version is never found.
// Safe for concurrent use; nobody holds a lock but for a look at one set.
type denyCache struct {
	remembered
	locks [denyLocks]sync.Mutex
	sets  *[denySets]denySet
}

type denySet [denyWays]denial

// denial is one entry; the zero one holds nothing. It is as large as what the processor reads at once, and has no pointers, so
// that the garbage collector has nothing to look for among so many. All instants are since the cache's start.
type denial struct {
	id    entryID
	at    time.Duration // when it was learned
	until time.Duration // its whole deadline
	since generation
	rule  int // which of the policy version's rules refuses
	used  int64
}

// newDenyCache returns an empty cache that goes by now; nil without one.
func newDenyCache(now func() time.Time) *denyCache {
	if now == nil {
		return nil
	}
	c := &denyCache{sets: &[denySets]denySet{}}
	c.init(now)
	return c
}

// find returns the entry of that name; false if there is none that holds.
func (c *denyCache) find(id entryID, now time.Duration) (denial, bool) {
	d, found := c.look(id, now)
	return d, found && c.stands(d.since)
}

// look is find that also returns what no longer stands, since something was given back.
func (c *denyCache) look(id entryID, now time.Duration) (denial, bool) {
	set, lock := c.set(id)
	lock.Lock()
	defer lock.Unlock()
	for i := range set {
		if d := &set[i]; d.id == id && d.timely(now) {
			return *d, true
		}
	}
	return denial{}, false
}

// set returns where the entry of that name is, if it is, and the lock under which it is read and written.
func (c *denyCache) set(id entryID) (*denySet, *sync.Mutex) {
	return &c.sets[id[0]%denySets], &c.locks[id[0]%denyLocks]
}

// live says that d still holds.
func (c *denyCache) live(d *denial, now time.Duration) bool {
	return d.timely(now) && c.stands(d.since)
}

// timely says that d holds by the clock. One that was learned later than now is of before the clock stepped back: it would
// hold for the whole step.
func (d *denial) timely(now time.Duration) bool { return d.at <= now && now < d.until }

// put keeps d in place of what it follows on, of what holds no more, or else of what is oldest.
func (c *denyCache) put(d denial) {
	set, lock := c.set(d.id)
	lock.Lock()
	defer lock.Unlock()
	place, oldest := &set[0], d.at+1
	for i := range set {
		old := &set[i]
		if old.id == d.id {
			place = old
			break
		}
		at := time.Duration(math.MinInt64) // of one that holds nothing any more: before all others
		if c.live(old, d.at) {
			at = old.at
		}
		if at < oldest {
			place, oldest = old, at
		}
	}
	*place = d
}

// fresh says that d may be repeated without asking.
func (d *denial) fresh(now time.Duration) bool { return now-d.at < denyFor }

// told is the decision with what is left of the wait, in whole milliseconds, rounded up. Its rule is one of rules: an entry is
// found only under the policy version that it was learned by.
func (d *denial) told(rules *RuleSet, now time.Duration) Decision {
	return Decision{
		Rule: rules.labels[d.rule], Used: d.used, Limit: rules.rules[d.rule].Limit,
		RetryAfter: (d.until - now + time.Millisecond - 1).Truncate(time.Millisecond),
	}
}
