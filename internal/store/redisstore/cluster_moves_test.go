package redisstore

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/pause"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// A slot half-way between two servers: keys that have moved are asked for there (ASK), keys of one tag on both are asked
// about one by one (TRYAGAIN), and none is counted twice. rate-limit-redis#71: the new server knows no script.
func slotHalfWay(t *testing.T, s *testserver.ClusterServers) {
	c, ctx := open(t, s.URL(), ownPrefix(t)), context.Background()
	tag, slot := tagIn(func(slot int) bool { return slot%7 == 3 })
	stays, moves, fresh := ofTag(tag, "stays", 9), ofTag(tag, "moves", 9), ofTag(tag, "fresh", 9)
	mustTake(t, c.Counters(), stays, moves)
	to := s.Node()
	from := s.BeginMove(slot, to)
	s.MoveKeys(slot, to, c.keys.counter(moves.Key))
	for _, groups := range [][]throttle.Group{{moves}, {stays}, {stays, moves}, {stays, moves, fresh}} {
		taken := mustTake(t, c.Counters(), groups...)
		if !taken.Allowed || len(taken.Verdicts) != 2*len(groups) {
			t.Errorf("%+v", taken)
		}
	}
	taken := mustTake(t, c.Counters(), stays, moves)
	refund := throttle.Refund{ID: 1, At: taken.At, GroupAt: taken.GroupAt, Groups: []throttle.Group{stays, moves}}
	if err := c.Counters().Refund(ctx, refund); err != nil {
		t.Error(err)
	}
	for group, want := range map[*throttle.Group]int64{&stays: 5, &moves: 5, &fresh: 1} {
		if n := used(t, c.Counters(), *group); n != want {
			t.Errorf("%s: used %d, want %d", group.Key.Name, n, want)
		}
	}
	s.MoveKeys(slot, to)
	s.EndMove(slot, from, to)
	mustTake(t, c.Counters(), stays, moves, fresh)
	if n := used(t, c.Counters(), stays); n != 6 {
		t.Errorf("after the move: used %d, want 6", n)
	}
	if err := c.Counters().Reset(ctx, tag); err != nil || used(t, c.Counters(), moves) != 0 {
		t.Errorf("reset: %v", err)
	}
}

// A slot moves there and back under load: no call fails, and each counts once.
func slotMovesUnderLoad(t *testing.T, s *testserver.ClusterServers) {
	c := open(t, s.URL(), ownPrefix(t))
	tag, slot := tagIn(func(slot int) bool { return slot%7 == 5 })
	_, other := tagIn(func(slot int) bool { return s.Holder(slot) != s.Holder(slotOf(string(tag))) })
	groups := []throttle.Group{ofTag(tag, "p", 1000), ofTag(tag, "pn", 1000)}
	home, away := s.Holder(slot), s.Holder(other)
	var done atomic.Bool
	var calls atomic.Int64
	var work sync.WaitGroup
	for range 8 {
		work.Go(func() {
			for !done.Load() && calls.Load() < 900 {
				if taken, err := c.Counters().Take(context.Background(), takeOf(groups...)); err != nil || !taken.Allowed {
					t.Errorf("%+v, %v", taken, err)
					return
				}
				calls.Add(1)
			}
		})
	}
	for range 3 {
		s.MoveSlot(slot, away)
		s.MoveSlot(slot, home)
	}
	done.Store(true)
	work.Wait()
	for _, g := range groups {
		if n := used(t, c.Counters(), g); n != calls.Load() {
			t.Errorf("%d calls, %d counted", calls.Load(), n)
		}
	}
	t.Logf("%d calls while the slot moved six times", calls.Load())
}

// A primary is killed under load. Its calls are unavailable until its replica has taken over, and then work again by
// themselves; those of the others always work. No more pass than may, and what was not replicated.
func primaryKilledUnderLoad(t *testing.T, s *testserver.ClusterServers) {
	c := open(t, s.URL(), ownPrefix(t), withBudget(20*time.Second))
	tag, slot := tagIn(func(slot int) bool { return slot%7 == 6 })
	tagElsewhere, _ := tagIn(func(other int) bool { return s.Holder(other) != s.Holder(slot) })
	const callers, limit = 8, 300
	victim, elsewhere := ofTag(tag, "p", limit), ofTag(tagElsewhere, "p", 1000)
	var passed, failed atomic.Int64
	var done atomic.Bool
	take := func() error {
		taken, err := c.Counters().Take(context.Background(), takeOf(victim))
		switch {
		case err != nil:
			failed.Add(1)
		case taken.Allowed:
			passed.Add(1)
		}
		return err
	}
	var work sync.WaitGroup
	for range callers {
		work.Go(func() {
			for !done.Load() {
				_ = take()
				pause.For(context.Background(), time.Millisecond)
			}
		})
	}
	eventually(t, "load", func() bool { return passed.Load() > 50 })
	dead := s.KillPrimary(slot)
	before := passed.Load() + callers // who may each have an answer that is not counted yet
	eventually(t, "a take elsewhere, unless the cluster refuses it", func() bool {
		_, err := c.Counters().Take(context.Background(), takeOf(elsewhere))
		if err != nil && !mentions(err, "CLUSTERDOWN") { // while nobody serves the slot, and a moment after the servers have noticed it
			t.Error(err)
		}
		return err == nil
	})
	s.AwaitFailover(slot, dead)
	eventually(t, "recovery", func() bool { return take() == nil })
	eventually(t, "an empty limit", func() bool { return used(t, c.Counters(), victim) >= limit })
	done.Store(true)
	work.Wait()
	lost := passed.Load() - limit
	t.Logf("%d passed before the kill, %d in all of a limit of %d; %d calls were unavailable; %d were not replicated",
		before, passed.Load(), limit, failed.Load(), max(0, lost))
	if failed.Load() == 0 || lost > before {
		t.Errorf("%d unavailable; %d more than the limit, of %d that there were to lose", failed.Load(), lost, before)
	}
	eventually(t, "a ping of every server", func() bool { return c.Ping(context.Background()) == nil })
	dead.Restart()
	s.Await()
}
