package redisstore

import (
	"context"
	"crypto/sha1"
	"encoding/hex"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
	"smsd/lua"
)

// What take_plain.lua says and writes of a history is what the other parts do without it, byte for byte, whatever rules
// there are; and it decides a good part of what enforced logs and counters are asked, at instants as odd as these.
func TestPlainPathIsTheOther(t *testing.T) {
	t.Parallel()
	for seed, narrow := range []storetest.Narrow{0: storetest.Enforced, 1: storetest.Enforced, 2: storetest.LogsOnly, 3: storetest.LogsOnly, 4: 0, 5: 0} {
		clock := storetest.NewManualClock()
		one, other := testserver.Redis(t), testserver.Redis(t)
		plain, general := open(t, one.URL(), withClock(clock.Now)), open(t, other.URL(), withClock(clock.Now))
		countGeneral(plain)
		leaveOutPlain(general)
		with := func(c *Client) throttle.Store { return storetest.WithErrands(t, c.CountersBesideCodes()) }
		if seed%2 == 1 {
			with = func(c *Client) throttle.Store {
				return storetest.WithGuesses(t, c.CountersBesideCodes(), c.Codes(), uint64(seed), true)
			}
		}
		pair := &bytewise{Store: with(general), t: t, one: raw(t, one), other: raw(t, other)}
		storetest.NarrowDifferential(t, 1500, uint64(seed), with(plain), pair, clock, narrow)
		if narrow == storetest.Enforced && 4*pair.general > 3*pair.calls {
			t.Errorf("seed %d: of %d calls %d went the general way", seed, pair.calls, pair.general)
		}
	}
}

// generalCalls is a key that counts the calls that took the general way.
const generalCalls = "general"

// countGeneral makes c's scripts count what they leave to the other parts.
func countGeneral(c *Client) {
	edit(c, "if not plain then\n", "if not plain then redis.call('INCR', '"+generalCalls+"')\n")
}

// leaveOutPlain makes c's scripts leave everything to the other parts.
func leaveOutPlain(c *Client) { edit(c, "local plain = true", "local plain = false") }

// edit replaces something that take, send and verify have once.
func edit(c *Client, text, by string) {
	for _, s := range []*lua.Script{&c.scripts.Take, &c.scripts.Send, &c.scripts.Verify} {
		if strings.Count(s.Text, text) != 1 {
			panic(s.Name + " does not have once: " + text)
		}
		s.Text = strings.Replace(s.Text, text, by, 1)
		sum := sha1.Sum([]byte(s.Text))
		s.SHA = hex.EncodeToString(sum[:])
	}
}

// bytewise is a store on the other of two servers, to which everything happens that has just happened to the one: what
// they hold must be the same after each call.
type bytewise struct {
	throttle.Store
	t              *testing.T
	one, other     *redis.Client
	calls, general int
}

func (b *bytewise) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	taken, err := b.Store.Take(ctx, t)
	b.compare()
	return taken, err
}

func (b *bytewise) Peek(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	taken, err := b.Store.Peek(ctx, t)
	b.compare()
	return taken, err
}

func (b *bytewise) compare() {
	b.t.Helper()
	b.calls++
	b.general, _ = b.one.Get(context.Background(), generalCalls).Int()
	got, want := counterValues(b.t, b.one), counterValues(b.t, b.other)
	if !maps.Equal(got, want) {
		b.t.Fatalf("after %d calls:\n%x\n%x", b.calls, got, want)
	}
}

// counterValues returns what all counters hold.
func counterValues(t testing.TB, c *redis.Client) map[string]string {
	t.Helper()
	keys, all := c.Keys(context.Background(), "*:1:{*").Val(), map[string]string{}
	if len(keys) == 0 {
		return all
	}
	values, err := c.MGet(context.Background(), keys...).Result()
	if err != nil {
		t.Fatal(err)
	}
	for i, key := range keys {
		all[key] = values[i].(string)
	}
	return all
}

// A plan that charges nothing leaves a key as it is, with the time to live that it has, and makes none.
func TestWhatIsOnlyAskedIsNotWritten(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server, ctx := open(t, s.URL()), raw(t, s), context.Background()
	g := limited("p", 2, time.Hour)
	asked := throttle.Group{Key: g.Key, Plan: &throttle.Plan{Mark: 7, TTL: g.Plan.TTL, Cells: slices.Clone(g.Plan.Cells)}}
	for i := range asked.Plan.Cells {
		asked.Plan.Cells[i].Charge = false
	}
	if mustTake(t, c.Counters(), asked); len(counterValues(t, server)) > 0 {
		t.Error("a key is made")
	}
	mustTake(t, c.Counters(), g)
	before := counterValues(t, server)
	server.Expire(ctx, c.keys.counter(g.Key), time.Minute)
	taken := mustTake(t, c.Counters(), asked)
	if ttl := server.PTTL(ctx, c.keys.counter(g.Key)).Val(); ttl > time.Minute || !maps.Equal(counterValues(t, server), before) {
		t.Errorf("it lives %s", ttl)
	}
	for i, v := range taken.Verdicts {
		if v.Used != 1 || v.Refused {
			t.Errorf("cell %d: %+v", i, v)
		}
	}
}
