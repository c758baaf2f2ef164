package redisstore

import (
	"context"
	"reflect"
	"sync"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/testserver"
)

// A caller without a deadline waits as long as the budget.
func TestBudgetBoundsCallsWithoutDeadline(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c := open(t, s.URL())
	c.budget = 200 * time.Millisecond
	s.Freeze()
	start := time.Now()
	_, err := c.Counters().Take(context.Background(), takeOf(limited("p", 9, time.Hour)))
	wantUnavailable(t, err)
	_, err = c.Codes().Get(context.Background(), "a")
	wantUnavailable(t, err)
	wantUnavailable(t, c.Counters().Reset(context.Background(), "AAAAAAAAAAAAAAAAAAAAAA"))
	wantUnavailable(t, c.Ping(context.Background()))
	if took := time.Since(start); took > 20*time.Second { // one that waits as long as a read may takes 30 s
		t.Errorf("four calls took %s", took)
	}
}

// cron-job.org#446, altarwed#637: away, then back and empty. It recovers by itself.
func TestKilledServerIsUnavailableUntilItIsBack(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c := open(t, s.URL())
	g := limited("p", 9, time.Hour)
	mustTake(t, c.Counters(), g)
	if _, err := c.Codes().Put(context.Background(), "a", record()); err != nil {
		t.Fatal(err)
	}
	s.Kill()
	for range 30 { // more than the pool has connections
		_, err := c.Counters().Take(shortly(t), takeOf(g))
		wantUnavailable(t, err)
		_, err = c.Codes().Verify(shortly(t), "a", guess(1))
		wantUnavailable(t, err)
	}
	s.Restart()
	eventually(t, "recovery", func() bool { return c.Ping(shortly(t)) == nil })
	if taken := mustTake(t, c.Counters(), g); taken.Verdicts[0].Used != 1 {
		t.Errorf("%+v of a server that is empty", taken.Verdicts)
	}
	if _, err := c.Codes().Verify(context.Background(), "a", guess(1)); err != sms.ErrNotFound {
		t.Errorf("a code that went with the server: %v", err)
	}
}

// PyrateLimiter#182, rate-limit-redis#71, nestjs-redis#15: a server that forgets its scripts.
func TestForgottenScriptsCostOneTrip(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	for _, ch := range changes(t, c) {
		server.ScriptFlush(context.Background())
		ch.succeed(t, server)
	}
	server.ScriptFlush(context.Background())
	used(t, c.Counters(), limited("p", 9, time.Hour))
	server.ScriptFlush(context.Background())
	if _, err := c.Codes().Get(context.Background(), "none"); err != sms.ErrNotFound {
		t.Errorf("get: %v", err)
	}
}

// tensorzero#6346, sourcegraph#296: a full server. What it can't write is unavailable, never allowed, and
// what it held stays as it was: of two keys neither is charged.
func TestFullServerIsUnavailable(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	all := changes(t, c)
	before := contents(t, server)
	server.ConfigSet(context.Background(), "maxmemory", "1")
	for _, ch := range all {
		if ch.name != "delete" && ch.name != "reset" { // these make room
			wantUnavailable(t, ch.do(context.Background()))
		}
	}
	both := takeOf(limited("take", 9, time.Hour), limited("fresh", 9, time.Hour))
	_, err := c.Counters().Take(context.Background(), both)
	wantUnavailable(t, err)
	if after := contents(t, server); !reflect.DeepEqual(after, before) {
		t.Errorf("changed:\n%q\n%q", before, after)
	}
	server.ConfigSet(context.Background(), "maxmemory", "0")
	for _, ch := range all {
		ch.succeed(t, server)
	}
}

// A replica does not write, and without its primary may not even read.
func TestReplicaIsUnavailable(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	all := changes(t, c)
	server.Do(context.Background(), "REPLICAOF", "127.0.0.1", "1")
	for _, stale := range []string{"yes", "no"} {
		server.ConfigSet(context.Background(), "replica-serve-stale-data", stale)
		for _, ch := range all {
			wantUnavailable(t, ch.do(context.Background()))
		}
	}
	_, err := c.Codes().Get(context.Background(), "right")
	wantUnavailable(t, err)
	server.Do(context.Background(), "REPLICAOF", "NO", "ONE")
	for _, ch := range all {
		ch.succeed(t, server)
	}
}

// better-auth PR 8067, 3253; openwisp-radius PR 790, care PR 3630: two instances, all at once.
func TestTwoInstancesShareOneCount(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	clients := []*Client{open(t, s.URL()), open(t, s.URL())}
	if _, err := clients[0].Codes().Put(context.Background(), "a", record()); err != nil {
		t.Fatal(err)
	}
	g := limited("p", 5, time.Hour)
	var passed, verified tally
	var work sync.WaitGroup
	for i := range 100 {
		c := clients[i%2]
		work.Go(func() { passed.add(mustTake(t, c.Counters(), g).Allowed) })
		work.Go(func() {
			_, err := c.Codes().Verify(context.Background(), "a", guess(1))
			verified.add(err == nil)
			if err != nil && err != sms.ErrUsed {
				t.Error(err)
			}
		})
	}
	work.Wait()
	if passed.n != 5 || verified.n != 1 {
		t.Errorf("%d takes passed, want 5; %d verifies succeeded, want 1", passed.n, verified.n)
	}
}

type tally struct {
	mu sync.Mutex
	n  int
}

func (c *tally) add(one bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if one {
		c.n++
	}
}
