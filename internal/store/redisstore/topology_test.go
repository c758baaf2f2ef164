package redisstore

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// It looks again and again, though nothing seems amiss.
func TestTopologyKeepsLooking(t *testing.T) {
	t.Parallel()
	x := newCrossing(t)
	x.every = time.Millisecond
	if err := x.open(context.Background()); err != nil {
		t.Fatal(err)
	}
	eventually(t, "five looks", func() bool { return x.looks.Load() >= 5 })
}

// Lost calls look together: soon after a look there is no other. After close there is none at all.
func TestLostCallsLookOnce(t *testing.T) {
	t.Parallel()
	x := newCrossing(t)
	x.looked = time.Now().Add(time.Hour)
	x.suspect()
	x.work.Wait()
	if n := x.looks.Load(); n != 0 {
		t.Errorf("%d looks right after another one", n)
	}
	x.looked, x.closed = time.Time{}, true
	if err := x.refresh(context.Background()); !errors.Is(err, context.Canceled) || x.looks.Load() != 0 {
		t.Errorf("%v, %d looks after close", err, x.looks.Load())
	}
}

// A server that nobody has asked for in a while is left with the next look, and what is sent to it fails at once.
func TestForsakenServersAreRetired(t *testing.T) {
	t.Parallel()
	x := newCrossing(t)
	age := func(n *node, by time.Duration) {
		x.fleet.mu.Lock()
		defer x.fleet.mu.Unlock()
		x.fleet.nodes[n.address].seen = time.Now().Add(-by)
	}
	age(x.a, 2*rest)
	age(x.b, rest/2)
	if err := x.refresh(context.Background()); err != nil {
		t.Fatal(err)
	}
	if _, err := x.a.do(context.Background(), redis.NewStatusCmd(context.Background(), "ping")); !errors.Is(err, errClosed) {
		t.Errorf("the server that was left: %v", err)
	}
	if _, err := x.b.do(context.Background(), redis.NewStatusCmd(context.Background(), "ping")); err != nil {
		t.Errorf("the other one: %v", err)
	}
	age(x.b, 2*rest)
	again := x.fleet.node(x.b.address) // which is to be asked now
	x.fleet.retire()
	if _, err := again.do(context.Background(), redis.NewStatusCmd(context.Background(), "ping")); err != nil || again != x.b {
		t.Errorf("a server that is asked again: %v", err)
	}
	if x.fleet.node(x.a.address) == x.a {
		t.Error("the server that was left is asked again by its old connections")
	}
}

// What the servers that have left counted stays counted.
func TestRetiredServersKeepTheirTimeouts(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	f := newFleet(func(address string, tr *traffic) *node {
		return newNode(redis.NewClient(&redis.Options{
			Network: "unix", Addr: address, PoolSize: 1, PoolTimeout: time.Millisecond, MaxRetries: -1, ReadTimeout: time.Minute,
		}), Options{}.withDefaults().bounds(), tr)
	})
	defer func() { _ = f.close() }()
	n, ctx := f.node(s.Socket()), context.Background()
	only := n.redis.Conn()
	if err := only.Ping(ctx).Err(); err != nil {
		t.Fatal(err)
	}
	if err := n.redis.Ping(ctx).Err(); err == nil {
		t.Fatal("there was another connection")
	}
	before := f.poolStats().Timeouts
	f.nodes[s.Socket()].seen = time.Now().Add(-2 * rest)
	f.retire()
	if after := f.poolStats().Timeouts; before == 0 || after != before || len(f.nodes) != 0 {
		t.Errorf("%d time-outs before, %d after", before, after)
	}
}

// A server that gives no host means its own.
func TestAbsolute(t *testing.T) {
	t.Parallel()
	from := &node{address: "10.0.0.1:6379"}
	for given, want := range map[string]string{
		":7000": "10.0.0.1:7000", "?:7000": "10.0.0.1:7000", "10.0.0.2:7000": "10.0.0.2:7000",
		"[2001:db8::1]:7000": "[2001:db8::1]:7000", "nonsense": "nonsense", "": "",
	} {
		if got := absolute(given, from); got != want {
			t.Errorf("%q: %q, want %q", given, got, want)
		}
	}
	if got := absolute(":7000", &node{address: "/a/socket"}); got != ":7000" {
		t.Errorf("beside a socket: %q", got)
	}
}

// What a server says of its slots may be anything; a primary of several ranges is one.
func TestLayout(t *testing.T) {
	t.Parallel()
	l, a, b := spread(), &node{address: "a"}, &node{address: "b"}
	l.add(-5, 9, a, 1)
	l.add(20, 29, b, 0)
	l.add(slotCount-10, slotCount+5, a, 1)
	if len(l.primaries) != 2 || l.uncovered() != slotCount-30 || l.replicas[a] != 1 || l.replicas[b] != 0 {
		t.Errorf("%d primaries, %d slots of nobody", len(l.primaries), l.uncovered())
	}
	for slot, want := range map[int]*node{0: a, 9: a, 10: nil, 19: nil, 20: b, 29: b, 30: nil, slotCount - 1: a} {
		if l.owners[slot].Load() != want {
			t.Errorf("slot %d: %v", slot, l.owners[slot].Load())
		}
	}
}

// Of what several servers say, an answer tells more than silence, whichever came first.
func TestClusterThatOneServerDenies(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t, testserver.Port(t))
	for _, hosts := range []string{"127.0.0.1:1," + s.Address(), s.Address() + ",127.0.0.1:1"} {
		if err := refused(t, options("redis+cluster://"+hosts)); !strings.Contains(err.Error(), "begin the URL with redis://") {
			t.Errorf("%v", err)
		}
	}
}

// A sentinel that knows of a later failover is believed, and any answer before any error; of errors, one that a server gave.
func TestWhichSentinelIsBelieved(t *testing.T) {
	t.Parallel()
	silent, denied := said{err: context.DeadlineExceeded}, said{err: redisError("ERR No such master with that name")}
	old, now := said{address: "old", epoch: 1}, said{address: "now", epoch: 2}
	for _, c := range []struct {
		s, than said
		worse   bool
	}{
		{old, now, true}, {now, old, false}, {now, now, false},
		{silent, old, true}, {old, silent, false}, {denied, old, true}, {old, denied, false},
		{silent, denied, true}, {denied, silent, false},
	} {
		if c.s.worse(c.than) != c.worse {
			t.Errorf("%+v worse than %+v: %t", c.s, c.than, !c.worse)
		}
	}
}
