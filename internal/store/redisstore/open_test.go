package redisstore

import (
	"context"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/secret"
	"smsd/internal/testserver"
)

// open opens a client, and closes it with the test. url is a server's or a proxy's. The budget is
// large: a machine that is busy is no fault. Tests of faults set their own.
func open(t testing.TB, url string, change ...func(*Options)) *Client {
	t.Helper()
	c, err := Open(context.Background(), options(url, change...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func options(url string, change ...func(*Options)) Options {
	o := Options{URL: secret.New(url), Budget: 30 * time.Second}
	for _, f := range change {
		f(&o)
	}
	return o
}

// withClock replaces the server's clock.
func withClock(now func() time.Time) func(*Options) { return func(o *Options) { o.Now = now } }

// withBudget sets the budget.
func withBudget(d time.Duration) func(*Options) { return func(o *Options) { o.Budget = d } }

// ownPrefix sets apart the keys of one test from those of others on the server. It also proves that a
// prefix may hold what means something in a pattern.
func ownPrefix(t testing.TB) func(*Options) { return func(o *Options) { o.Prefix = "[*]" + t.Name() } }

// raw is a connection that sees what is stored, whatever user the server's URL names.
func raw(t testing.TB, s *testserver.RedisServer) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{
		Network: "unix", Addr: s.Socket(),
		DialTimeout: 30 * time.Second, ReadTimeout: 30 * time.Second, WriteTimeout: 30 * time.Second,
	})
	t.Cleanup(func() { _ = c.Close() })
	return c
}
