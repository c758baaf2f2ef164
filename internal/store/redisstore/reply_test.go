package redisstore

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// go-redis#2339, rate-limit-redis#252: the server does it, the reply is lost. It counts once, and nothing
// is sent a second time.
func TestSwallowedReplyCountsOnce(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	p := testserver.Proxy(t, s.Socket())
	c, server := open(t, p.URL()), raw(t, s)
	g := limited("p", 9, time.Hour)
	mustTake(t, c.Counters(), g)
	if _, err := c.Codes().Put(context.Background(), "a", record()); err != nil {
		t.Fatal(err)
	}
	swallowed(t, c, p, server, func(ctx context.Context) error {
		_, err := c.Counters().Take(ctx, takeOf(g))
		return err
	})
	if err := c.Ping(shortly(t)); err == nil {
		t.Error("an answer came through")
	}
	_, err := c.Codes().Verify(shortly(t), "a", guess(1))
	wantUnavailable(t, err)
	p.Pass()

	if calls := scriptCalls(t, server); calls != "calls=1" { // the verify had no connection to go out on
		t.Errorf("the server ran scripts: %s, want one", calls)
	}
	if n := used(t, c.Counters(), g); n != 2 {
		t.Errorf("used %d, want 2", n)
	}
	if _, err := c.Codes().Verify(context.Background(), "a", guess(1)); err != nil {
		t.Errorf("the verify that was not executed: %v", err)
	}
}

// swallowed makes a call whose reply is lost, as are those of all calls from then on. The server's counts begin with it.
func swallowed(t *testing.T, c *Client, p *testserver.ProxyServer, server *redis.Client, do func(context.Context) error) {
	t.Helper()
	sentInTime(t, server, func() {
		p.Pass()
		recovered(t, c) // so that a connection is ready
		server.ConfigResetStat(context.Background())
	}, func(in time.Duration) {
		p.SwallowReplies(0)
		wantUnavailable(t, do(within(t, in)))
	})
}

// go-redis#2339: so does a send's, in the same step as which its code was stored. Nobody will ever know that code, and
// it goes with its time to live.
func TestSwallowedReplyOfASendCountsOnce(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	p := testserver.Proxy(t, s.Socket())
	c, server, ctx := open(t, p.URL()), raw(t, s), context.Background()
	store, g := c.CountersBesideCodes(), limited("p", 9, time.Hour)
	if taken, err := store.Take(ctx, sendOf("a", g)); err != nil || !taken.ErrandDone {
		t.Fatal(taken, err)
	}
	swallowed(t, c, p, server, func(ctx context.Context) error {
		_, err := store.Take(ctx, sendOf("b", g))
		return err
	})
	p.Pass()
	if calls := scriptCalls(t, server); calls != "calls=1" {
		t.Errorf("the server ran scripts: %s, want one", calls)
	}
	if n := used(t, store, g); n != 2 {
		t.Errorf("used %d, want 2", n)
	}
	if ttl := server.PTTL(ctx, c.keys.code("b")).Val(); ttl <= 0 || ttl > 15*time.Minute {
		t.Errorf("the code that was stored lives %s", ttl)
	}
}

// go-redis#2339: and so does a verify's, in the same step as which its code was used up.
func TestSwallowedReplyOfAVerifyCountsOnce(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	p := testserver.Proxy(t, s.Socket())
	c, server, ctx := open(t, p.URL()), raw(t, s), context.Background()
	store, g := c.CountersBesideCodes(), limited("p", 9, time.Hour)
	if _, err := c.Codes().Put(ctx, "a", record()); err != nil {
		t.Fatal(err)
	}
	if taken, err := store.Take(ctx, guessOf("a", 9, g)); err != nil || !taken.ErrandDone {
		t.Fatal(taken, err)
	}
	swallowed(t, c, p, server, func(ctx context.Context) error {
		_, err := store.Take(ctx, guessOf("a", 1, g))
		return err
	})
	p.Pass()
	if calls := scriptCalls(t, server); calls != "calls=1" {
		t.Errorf("the server ran scripts: %s, want one", calls)
	}
	if n := used(t, store, g); n != 2 {
		t.Errorf("used %d, want 2", n)
	}
	if r, err := c.Codes().Get(ctx, "a"); err != nil || !r.Used || r.AttemptsLeft != 4 {
		t.Errorf("the code is %+v, %v", r, err)
	}
}

// The same where the connection breaks, at which go-redis by itself would try again.
func TestConnectionLostBeforeTheReplyCountsOnce(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	p := testserver.Proxy(t, s.Socket())
	c, server := open(t, p.URL()), raw(t, s)
	g := limited("p", 9, time.Hour)
	mustTake(t, c.Counters(), g)
	server.ConfigResetStat(context.Background())
	p.SwallowReplies(0)
	var work sync.WaitGroup
	work.Go(func() {
		eventually(t, "the server does it", func() bool { return scriptCalls(t, server) == "calls=1" })
		p.Forsake() // first: the reply may be on its way still
		p.Pass()
		p.Cut()
	})
	_, err := c.Counters().Take(context.Background(), takeOf(g))
	wantUnavailable(t, err)
	work.Wait()
	if calls := scriptCalls(t, server); calls != "calls=1" {
		t.Errorf("the server ran scripts: %s, want one", calls)
	}
	if n := used(t, c.Counters(), g); n != 2 {
		t.Errorf("used %d, want 2", n)
	}
}

// paramant-relay PR 368: everything gets lost on the way.
func TestBlackHoleIsUnavailable(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	p := testserver.Proxy(t, s.Socket())
	c := open(t, p.URL())
	g := limited("p", 9, time.Hour)
	p.BlackHole()
	for range 2 { // on an open connection, then on a new one
		_, err := c.Counters().Take(shortly(t), takeOf(g))
		wantUnavailable(t, err)
	}
	p.Pass()
	if n := used(t, c.Counters(), g); n != 0 {
		t.Errorf("used %d, want 0", n)
	}
}
