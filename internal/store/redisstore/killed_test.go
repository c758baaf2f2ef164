package redisstore

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// Scripts are forgotten all the time, between calls and in the middle of them: parallel callers are still
// admitted exactly to the limit, and none is told that nobody can tell. (PyrateLimiter#182, rate-limit-redis#71,
// boulder#7886)
func TestScriptsForgottenUnderLoadKeepTheLimit(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	ctx, end := context.WithCancel(context.Background())
	var flusher sync.WaitGroup
	flusher.Go(func() {
		for ctx.Err() == nil {
			server.ScriptFlush(context.Background())
		}
	})
	const limit = 37
	g := limited("p", limit, time.Hour)
	var passed tally
	atOnce(200, func() { passed.add(mustTake(t, c.Counters(), g).Allowed) })
	end()
	flusher.Wait()
	if passed.n != limit {
		t.Errorf("%d passed, want %d", passed.n, limit)
	}
}

// A server that keeps what it has answered is killed again and again in the middle of calls: what was answered as
// allowed never exceeds the limit, and no answer but "nobody can tell" comes of it. (cron-job.org#446, altarwed#637)
func TestServerKilledUnderLoadKeepsTheLimit(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t, testserver.Persistent())
	c := open(t, s.URL())
	const limit = 400
	g := limited("p", limit, time.Hour)
	ctx, end := context.WithCancel(context.Background())
	var passed, failed tally
	var load sync.WaitGroup
	for range 8 {
		load.Go(func() {
			for ctx.Err() == nil {
				taken, err := c.Counters().Take(shortly(t), throttle.Take{ID: rand.Uint32(), Groups: []throttle.Group{g}})
				passed.add(err == nil && taken.Allowed)
				if failed.add(err != nil); err != nil {
					wantUnavailable(t, err)
					time.Sleep(time.Millisecond) // or the callers would take the machine from the server that starts
				}
			}
		})
	}
	for range 3 {
		had := failed.count()
		s.Restart()
		eventually(t, "a call meets the kill", func() bool { return failed.count() > had })
		recovered(t, c)
	}
	eventually(t, "the limit is reached", func() bool {
		taken, err := c.Counters().Peek(context.Background(), takeOf(g))
		return err == nil && !taken.Allowed
	})
	end()
	load.Wait()
	if n := passed.count(); n > limit || n == 0 {
		t.Errorf("%d passed, want some and %d at most", n, limit)
	}
	t.Logf("%d of %d were answered as allowed, %d calls failed", passed.count(), limit, failed.count())
}

func (c *tally) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n
}
