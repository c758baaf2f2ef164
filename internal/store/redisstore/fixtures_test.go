package redisstore

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// limited returns a group of one log cell and, behind it, one counter cell of the same limit.
func limited(name string, limit int64, window time.Duration) throttle.Group {
	p := &throttle.Plan{Mark: 7, TTL: 2 * window, Cells: []throttle.Cell{
		{Algorithm: throttle.Log, Limit: limit, Window: window, Slot: 1, Charge: true},
		{Algorithm: throttle.Counter, Limit: limit, Window: window, Slot: 2, Charge: true},
	}}
	p.Retain[throttle.Send], p.Keep[throttle.Send] = window, throttle.Keep{All: int(limit)}
	return throttle.Group{Key: throttle.Key{Tag: "AAAAAAAAAAAAAAAAAAAAAA", Name: name}, Plan: p}
}

func takeOf(groups ...throttle.Group) throttle.Take {
	return throttle.Take{ID: rand.Uint32(), Groups: groups}
}

// sendOf is a take with the errand of putting a record.
func sendOf(id string, groups ...throttle.Group) throttle.Take {
	t := takeOf(groups...)
	t.Errand = &sms.PutErrand{ID: id, Record: record()}
	return t
}

// guessOf is a take with the errand of a verify.
func guessOf(id string, code byte, groups ...throttle.Group) throttle.Take {
	t := takeOf(groups...)
	t.Errand = &sms.VerifyErrand{ID: id, Guess: guess(code)}
	return t
}

// mustTake takes, and returns the answer.
func mustTake(t testing.TB, s throttle.Store, groups ...throttle.Group) throttle.Taken {
	t.Helper()
	taken, err := s.Take(context.Background(), takeOf(groups...))
	if err != nil {
		t.Fatal(err)
	}
	return taken
}

// used returns what the first cell of a group counts.
func used(t testing.TB, s throttle.Store, g throttle.Group) int64 {
	t.Helper()
	taken, err := s.Peek(context.Background(), takeOf(g))
	if err != nil {
		t.Fatal(err)
	}
	return taken.Verdicts[0].Used
}

// record is a verification whose code is sms.Hash{1}.
func record() sms.NewRecord {
	return sms.NewRecord{
		App: "default", Scene: "login", Code: sms.Hash{1}, Phone: sms.Hash{2}, Length: 6, Attempts: 5,
		Sealed: []byte("sealed"), TTL: 5 * time.Minute, Keep: 10 * time.Minute,
	}
}

func guess(code byte) sms.Guess {
	return sms.Guess{App: "default", Length: 6, Codes: []sms.Hash{{code}}}
}

// contents returns every key of the server with its value.
func contents(t testing.TB, c *redis.Client) map[string]string {
	t.Helper()
	ctx, all := context.Background(), map[string]string{}
	for _, key := range c.Keys(ctx, "*").Val() {
		value, err := c.Get(ctx, key).Result()
		if err != nil {
			t.Fatal(err)
		}
		all[key] = value
	}
	return all
}

// scriptCalls returns how many scripts the server has run.
func scriptCalls(t testing.TB, c *redis.Client) string {
	t.Helper()
	stats, err := c.Info(context.Background(), "commandstats").Result()
	if err != nil {
		t.Fatal(err)
	}
	calls, _, _ := strings.Cut(infoField(stats, "cmdstat_evalsha"), ",")
	return calls
}

// eventually repeats until done says so: for what another process does in its own time.
func eventually(t testing.TB, what string, done func() bool) {
	t.Helper()
	for limit := time.Now().Add(60 * time.Second); !done(); time.Sleep(time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// sentInTime makes a call that ends before its answer comes, and returns when the server has got it. Where a busy machine lets its
// time go by before it is even sent, so that nothing has happened, it is made again, with twice the time. ready is done before
// each try, and attempt is the call and what stands in its way; no other script may run meanwhile.
func sentInTime(t testing.TB, server *redis.Client, ready func(), attempt func(in time.Duration)) {
	t.Helper()
	for in := 200 * time.Millisecond; in < time.Minute; in *= 2 {
		ready()
		calls := scriptCalls(t, server)
		attempt(in)
		for limit := time.Now().Add(10 * time.Second); time.Now().Before(limit); time.Sleep(time.Millisecond) {
			if scriptCalls(t, server) != calls {
				return
			}
		}
	}
	t.Fatal("the call does not reach the server")
}

// shortly is a deadline for calls that are to fail.
func shortly(t testing.TB) context.Context { return within(t, 200*time.Millisecond) }

func within(t testing.TB, d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}

func wantUnavailable(t testing.TB, err error) {
	t.Helper()
	if !errors.Is(err, throttle.ErrUnavailable) {
		t.Errorf("got %v, want an error that unwraps to ErrUnavailable", err)
	}
}
