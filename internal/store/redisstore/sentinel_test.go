package redisstore

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// The primary dies, and its calls are unavailable until the sentinels have put the replica in its place; then they
// work again by themselves, by the new primary's clock. One former primary that comes back is not gone to.
func TestSentinelFailover(t *testing.T) {
	t.Parallel()
	s := testserver.RedisSentinel(t, testserver.User("smsd", "hunter2", permissions))
	c, g := open(t, s.URL(), withBudget(20*time.Second)), limited("p", 9, time.Hour)
	mustTake(t, c.Counters(), g)
	eventually(t, "a replicated take", func() bool { return replicated(s) })
	dead, was := s.Primary(), c.servers.layout().primaries[0]
	dead.Kill()
	_, err := c.Counters().Take(shortly(t), takeOf(g))
	wantUnavailable(t, err)
	s.AwaitFailover(dead)
	eventually(t, "recovery", func() bool { return c.Ping(shortly(t)) == nil && used(t, c.Counters(), g) == 1 })
	if now := c.servers.layout().primaries[0]; now == was || now.clock == was.clock {
		t.Error("the new primary goes by the old one's clock")
	}
	dead.Restart()
	for range 5 {
		mustTake(t, c.Counters(), g)
	}
	if n := used(t, c.Counters(), g); n != 6 {
		t.Errorf("used %d, want 6", n)
	}
}

// replicated reports whether the replica has all that the primary has written.
func replicated(s *testserver.SentinelServers) bool {
	info := s.Primary().Do("info", "replication").(string)
	offset := infoField(info, "master_repl_offset")
	return strings.Contains(infoField(info, "slave0"), "offset="+offset+",")
}

// A primary that became a replica answers READONLY: it has executed nothing, and the call goes to the new one, within
// the same call. Without a new one it stays unavailable.
func TestFormerPrimaryIsLeft(t *testing.T) {
	t.Parallel()
	former, next := testserver.Redis(t), testserver.Redis(t)
	c, g := open(t, former.URL()), limited("p", 9, time.Hour)
	mustTake(t, c.Counters(), g)
	var named atomic.Value // looked at by looks in the background too
	named.Store(former.Socket())
	c.servers.find = func(context.Context) (*layout, error) {
		return whole(c.servers.fleet.node(named.Load().(string))), nil
	}
	former.Do("replicaof", "127.0.0.1", "1")
	_, err := c.Counters().Take(shortly(t), takeOf(g))
	wantUnavailable(t, err)
	named.Store(next.Socket())
	for range 3 {
		mustTake(t, c.Counters(), g)
	}
	if n := used(t, c.Counters(), g); n != 3 {
		t.Errorf("used %d, want 3", n)
	}
}

func TestSentinelsThatDoNotKnow(t *testing.T) {
	t.Parallel()
	s := testserver.RedisSentinel(t, testserver.User("smsd", "hunter2", permissions))
	err := refused(t, options(strings.Replace(s.URL(), "/main", "/hunter2", 1)))
	if errors.Is(err, throttle.ErrUnavailable) || !strings.Contains(err.Error(), "no primary of the name") {
		t.Errorf("%v", err)
	}
	for _, sentinel := range s.Sentinels() {
		sentinel.Do("acl", "setuser", "default", "resetpass", ">secret")
	}
	if err := refused(t, options(s.URL())); !strings.Contains(err.Error(), "NOAUTH") || !strings.Contains(err.Error(), "?sentinel_password=") {
		t.Errorf("%v", err)
	}
	c := open(t, s.URL()+"?sentinel_password=secret")
	if _, err := c.Codes().Put(context.Background(), "a", record()); err != nil {
		t.Error(err)
	}
	for _, sentinel := range s.Sentinels() {
		sentinel.Kill()
	}
	mustTake(t, c.Counters(), limited("p", 9, time.Hour)) // the primary is known
	err = refused(t, options(s.URL(), withBudget(300*time.Millisecond)))
	if !errors.Is(err, throttle.ErrUnavailable) {
		t.Errorf("no sentinel answers: %v", err)
	}
}
