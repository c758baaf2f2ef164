package memstore

import (
	"container/heap"
	"maps"
	"math"
	"slices"

	"smsd/internal/throttle"
)

// expiry is a heap of keys by when they are due to be looked at. A key that is written expires
// later, but its place is left alone until it is due: so a write costs nothing here, and a key is put
// back at most once in each of its lifetimes.
type expiry []*state

func (e expiry) Len() int           { return len(e) }
func (e expiry) Less(i, j int) bool { return e[i].due < e[j].due }
func (e expiry) Swap(i, j int)      { e[i], e[j] = e[j], e[i] }
func (e *expiry) Push(x any)        { *e = append(*e, x.(*state)) }
func (e *expiry) Pop() any {
	old := *e
	last := old[len(old)-1]
	old[len(old)-1] = nil
	*e = old[:len(old)-1]
	return last
}

// touch puts off the end of s, which is written by plan p; bound says that an enforced rule needs it until then.
func (c *Counters) touch(s *state, p *throttle.Plan, now int64, bound bool) {
	s.ttl = p.TTL.Milliseconds()
	s.expires = now + s.ttl
	if bound {
		s.binds = s.expires
		c.move(s, false)
	}
}

// end is when s must leave the budget that it is in.
func (s *state) end() int64 {
	if s.shadow {
		return s.expires
	}
	return s.binds
}

// move puts s into the budget of keys that only rules in shadow need, or out of it.
func (c *Counters) move(s *state, shadow bool) {
	if s.shadow == shadow {
		return
	}
	c.weigh(s, -1)
	s.shadow = shadow
	c.weigh(s, 1)
}

// add makes s a key of the store.
func (c *Counters) add(s *state) {
	s.due = s.end()
	c.keys[s.key] = s
	c.peak = max(c.peak, len(c.keys))
	heap.Push(&c.expiry, s)
	c.weigh(s, 1)
}

// weigh counts s in its budget.
func (c *Counters) weigh(s *state, n int) {
	if s.shadow {
		c.shadows += n
	}
}

// sweepAtOnce is how many due keys a write looks at: more than the keys that it can make, so that
// memory goes back faster than it is taken.
const sweepAtOnce = 64

// sweep forgets up to n keys that have expired.
func (c *Counters) sweep(n int, now int64) {
	for ; n > 0 && len(c.expiry) > 0 && c.expiry[0].due <= now; n-- {
		s := c.expiry[0]
		if s.end() <= now && s.expires > now && c.shadows < c.maxShadows() {
			c.move(s, true)
		}
		if s.end() > now {
			s.due = s.end()
			heap.Fix(&c.expiry, 0)
			continue
		}
		heap.Pop(&c.expiry)
		c.forget(s)
	}
	c.shrink()
}

// shrink gives back the room of a map and a heap that were much larger: neither shrinks by itself. The
// copy is paid for by the many keys that have gone since.
func (c *Counters) shrink() {
	if c.peak < 1024 || len(c.keys) > c.peak/8 {
		return
	}
	keys := make(map[throttle.Key]*state, len(c.keys))
	maps.Copy(keys, c.keys)
	c.keys, c.peak, c.expiry = keys, len(keys), slices.Clone(c.expiry)
}

// forget removes s, which has no place in the heap any more.
func (c *Counters) forget(s *state) {
	delete(c.keys, s.key)
	c.weigh(s, -1)
}

// rewound puts right the ends of keys written before the clock stepped back: a key that would live
// until a day far off would never make room. It looks at every key, but only then.
func (c *Counters) rewound(now int64) {
	for _, s := range c.expiry {
		s.expires, s.binds = min(s.expires, now+s.ttl), min(s.binds, now+s.ttl)
		s.due = s.end()
	}
	heap.Init(&c.expiry)
}

// drop forgets the keys that are to go, whatever the time.
func (c *Counters) drop(gone func(*state) bool) {
	for _, s := range c.expiry {
		if gone(s) {
			s.expires, s.binds, s.due = math.MinInt64, math.MinInt64, math.MinInt64
		}
	}
	heap.Init(&c.expiry)
	c.sweep(len(c.expiry), math.MinInt64)
}
