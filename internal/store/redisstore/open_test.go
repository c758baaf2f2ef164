package redisstore

import (
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/secret"
	"smsd/internal/testserver"
)

// open opens a client, and closes it with the test. url is the server's or a proxy's.
func open(t testing.TB, url string, change ...func(*Options)) *Client {
	t.Helper()
	o := Options{URL: secret.New(url), Budget: 20 * time.Second} // a busy machine is no fault; tests of faults set their own
	for _, f := range change {
		f(&o)
	}
	c, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// withClock replaces the server's clock.
func withClock(now func() time.Time) func(*Options) { return func(o *Options) { o.Now = now } }

// raw is a connection that sees what is stored.
func raw(t testing.TB, s *testserver.RedisServer) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Network: "unix", Addr: s.Socket()})
	t.Cleanup(func() { _ = c.Close() })
	return c
}
