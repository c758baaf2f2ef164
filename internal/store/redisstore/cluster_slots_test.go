package redisstore

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// tagIn returns a tag whose keys lie in a slot for which is holds, and that slot.
func tagIn(is func(slot int) bool) (throttle.Tag, int) {
	for i := 0; ; i++ {
		tag := throttle.Tag(fmt.Sprintf("%022d", i))
		if slot := slotOf(string(tag)); is(slot) {
			return tag, slot
		}
	}
}

// ofTag is limited with a tag.
func ofTag(tag throttle.Tag, name string, limit int64) throttle.Group {
	g := limited(name, limit, time.Hour)
	g.Key.Tag = tag
	return g
}

// spreadGroups are groups on each of the three primaries.
func spreadGroups(c *Client, name string, limits ...int64) []throttle.Group {
	var groups []throttle.Group
	for i, n := range c.servers.layout().primaries {
		tag, _ := tagIn(func(slot int) bool { return c.servers.layout().owners[slot].Load() == n })
		groups = append(groups, ofTag(tag, name, limits[i%len(limits)]))
	}
	return groups
}

// symfony#40705, relay#4787: of three subjects on three servers one has no room left: the others are as they were, and
// the answer says of them what they said before.
func allOrNothingOverServers(t *testing.T, s *testserver.ClusterServers) {
	c := open(t, s.URL(), ownPrefix(t))
	groups := spreadGroups(c, "p", 100, 100, 2)
	mustTake(t, c.Counters(), groups...)
	mustTake(t, c.Counters(), groups...)
	for range 20 {
		taken := mustTake(t, c.Counters(), groups...)
		if taken.Allowed {
			t.Fatal("more than the limit passes")
		}
		for i, v := range taken.Verdicts {
			if v.Used != 2 || v.Refused != (i >= 4) || v.Refused != (v.Wait > 0) {
				t.Fatalf("verdict %d of a refusal: %+v", i, v)
			}
		}
	}
	for _, g := range groups {
		if n := used(t, c.Counters(), g); n != 2 {
			t.Errorf("%d used, want 2", n)
		}
	}
}

// Of many callers, each of three subjects, no more pass than may, whatever they give back meanwhile.
func neverMoreThanTheLimitOverServers(t *testing.T, s *testserver.ClusterServers) {
	clients := []*Client{open(t, s.URL(), ownPrefix(t)), open(t, s.URL(), ownPrefix(t)), open(t, s.URL(), ownPrefix(t))}
	groups := spreadGroups(clients[0], "p", 40, 10, 40)
	var passed atomic.Int64
	var work sync.WaitGroup
	for i := range 200 {
		c := clients[i%3]
		work.Go(func() {
			if taken, err := c.Counters().Take(context.Background(), takeOf(groups...)); err != nil {
				t.Error(err)
			} else if taken.Allowed {
				passed.Add(1)
			}
		})
	}
	work.Wait()
	t.Logf("%d of 200 passed at once", passed.Load())
	for range 11 { // one after the other, for whom nobody is in the way
		if mustTake(t, clients[0].Counters(), groups...).Allowed {
			passed.Add(1)
		}
	}
	if n := passed.Load(); n != 10 {
		t.Errorf("%d passed, want 10", n)
	}
	for _, g := range groups {
		if n := used(t, clients[0].Counters(), g); n != passed.Load() {
			t.Errorf("%d used after everything was given back, want %d", n, passed.Load())
		}
	}
}

// A group on one server fails: those that have granted are given back.
func failureOnOneServerGivesBack(t *testing.T, s *testserver.ClusterServers) {
	c := open(t, s.URL(), ownPrefix(t))
	groups := spreadGroups(c, "p", 9)
	stalls := s.Holder(slotOf(string(groups[1].Key.Tag)))
	stalls.Do("client", "pause", time.Minute.Milliseconds(), "write")
	defer stalls.Do("client", "unpause")
	_, err := c.Counters().Take(shortly(t), takeOf(groups...))
	wantUnavailable(t, err)
	for _, i := range []int{0, 2} {
		eventually(t, "a refund", func() bool { return used(t, c.Counters(), groups[i]) == 0 })
	}
	// The one that failed is called late, when its server goes on: nothing is charged there either.
	stalls.Do("client", "unpause")
	if n := used(t, c.Counters(), groups[1]); n != 0 {
		t.Errorf("%d used where nobody can tell", n)
	}
}

// limiters#48: an identity or a scene with braces in it has a subject of its own; and a code whose id has some lies in
// the slot that the server thinks it does.
func bracesAreNoTags(t *testing.T, s *testserver.ClusterServers) {
	c := open(t, s.URL(), ownPrefix(t))
	for _, id := range []string{"a{x}b", "}", "{", "{}", "a}b{c}", "plain"} {
		if _, err := c.Codes().Put(context.Background(), id, record()); err != nil {
			t.Fatalf("%q: %v", id, err)
		}
		if _, err := c.Codes().Verify(context.Background(), id, guess(1)); err != nil {
			t.Errorf("%q: %v", id, err)
		}
		if key := c.keys.code(id); slotOf(key) != s.Slot(key) {
			t.Errorf("%q: its slot is %d, not %d", key, s.Slot(key), slotOf(key))
		}
	}
}

// Each part of a charge is given back by the clock that it was charged by.
func refundsGoByEachServersClock(t *testing.T, s *testserver.ClusterServers) {
	c := open(t, s.URL(), ownPrefix(t))
	groups := spreadGroups(c, "p", 9)
	taken := mustTake(t, c.Counters(), groups...)
	r := throttle.Refund{ID: 1, At: taken.At.Add(-2 * time.Hour), Groups: groups}
	for i := range groups { // as if two of the clocks were far apart
		r.GroupAt = append(r.GroupAt, taken.At.Add(time.Duration(i-2)*time.Hour))
	}
	if err := c.Counters().Refund(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	for i, g := range groups {
		peeked, err := c.Counters().Peek(context.Background(), takeOf(g))
		if want := map[bool]int64{true: 0, false: 1}[i == 2]; err != nil || peeked.Verdicts[1].Used != want {
			t.Errorf("group %d: %+v, %v, want %d left in its record", i, peeked.Verdicts, err, want)
		}
	}
}
