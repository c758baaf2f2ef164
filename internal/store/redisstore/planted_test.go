package redisstore

import (
	"context"
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// redis/redis#4548, alisaifee/limits#14, sidekiq#2704: keys that no script has written, or that never end.
// A limit is then as if nothing had been counted, or holds for a window at most; the first charge puts a
// time to live on.
func TestPlantedKeysHeal(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	now := time.UnixMilli(1784600000123).UTC()
	c, server, ctx := open(t, s.URL(), withClock(func() time.Time { return now })), raw(t, s), context.Background()
	g := limited("p", 2, time.Hour)
	key := c.keys.counter(g.Key)
	mustTake(t, c.Counters(), g)
	mustTake(t, c.Counters(), g)
	full := server.Get(ctx, key).Val()
	for name, plant := range map[string]func(){
		"a counter at limit+1":     func() { server.Set(ctx, key, 3, 0) },
		"three million":            func() { server.Set(ctx, key, 3_000_000, 0) },
		"nothing":                  func() { server.Set(ctx, key, "", 0) },
		"a list":                   func() { server.RPush(ctx, key, "a", "b") },
		"a hash":                   func() { server.HSet(ctx, key, "a", "b") },
		"another version":          func() { server.Set(ctx, key, "\x01"+full[1:], 0) },
		"a value cut short":        func() { server.Set(ctx, key, full[:len(full)-1], 0) },
		"a value with more behind": func() { server.Set(ctx, key, full+"x", 0) },
		"a whole value, immortal":  func() { server.Set(ctx, key, full, 0) },
		"a value from the future": func() {
			server.Set(ctx, key, strings.ReplaceAll(full, full[9:15], strings.Repeat("\xff", 6)), 0)
		},
		"a record of billions": func() { server.Set(ctx, key, full[:len(full)-8]+strings.Repeat("\xff", 8), 0) },
	} {
		server.Del(ctx, key)
		plant()
		taken := mustTake(t, c.Counters(), g)
		for i, v := range taken.Verdicts {
			if longest := time.Duration(i+1) * time.Hour; v.Wait > longest { // a counter's buckets are two
				t.Errorf("%s: cell %d waits %s", name, i, v.Wait)
			}
		}
		if !taken.Allowed {
			now = now.Add(2 * time.Hour)
			if taken = mustTake(t, c.Counters(), g); !taken.Allowed {
				t.Errorf("%s locks out: %+v", name, taken.Verdicts)
			}
		}
		if ttl := server.PTTL(ctx, key).Val(); ttl <= 0 {
			t.Errorf("%s: no time to live after a charge", name)
		}
	}
}

// The same for a verification: garbage is none, and the id can be put.
func TestPlantedCodesAreNone(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server, ctx := open(t, s.URL()), raw(t, s), context.Background()
	codes, key := c.Codes(), c.keys.code("a")
	if _, err := codes.Put(ctx, "a", record()); err != nil {
		t.Fatal(err)
	}
	whole := server.Get(ctx, key).Val()
	for i, plant := range []func(){
		func() { server.Set(ctx, key, "123456", 0) },
		func() { server.Set(ctx, key, "", 0) },
		func() { server.RPush(ctx, key, "123456") },
		func() { server.Set(ctx, key, whole[:len(whole)-1], 0) },
		func() { server.Set(ctx, key, whole+"x", 0) },
		func() { server.Set(ctx, key, "\x02"+whole[1:], 0) },
	} {
		server.Del(ctx, key)
		plant()
		if _, err := codes.Verify(ctx, "a", guess(1)); err != sms.ErrNotFound {
			t.Errorf("%d: verify: %v", i, err)
		}
		take := guessOf("a", 1, limited("p", 1000, time.Hour))
		taken, err := c.CountersBesideCodes().Take(ctx, take)
		if found := take.Errand.(*sms.VerifyErrand).Err; err != nil || !taken.ErrandDone || found != sms.ErrNotFound {
			t.Errorf("%d: charged verify: %v, %v", i, err, found)
		}
		if _, err := codes.Get(ctx, "a"); err != sms.ErrNotFound {
			t.Errorf("%d: get: %v", i, err)
		}
		if err := codes.Amend(ctx, "a", sms.Amendment{Code: sms.Hash{3}}); err != sms.ErrNotFound {
			t.Errorf("%d: amend: %v", i, err)
		}
		if _, err := codes.Put(ctx, "a", record()); err != nil {
			t.Errorf("%d: put: %v", i, err)
		}
		if _, err := codes.Verify(ctx, "a", guess(1)); err != nil {
			t.Errorf("%d: verify after put: %v", i, err)
		}
	}
}

// Counts stop at throttle.MaxCount, whatever is charged by force or estimated at a change of the window.
func TestCountsStop(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	now := time.UnixMilli(1784600000123).UTC()
	c, server, ctx := open(t, s.URL(), withClock(func() time.Time { return now })), raw(t, s), context.Background()
	g := limited("p", 2, time.Hour)
	key := c.keys.counter(g.Key)
	mustTake(t, c.Counters(), g)
	full := server.Get(ctx, key).Val()
	most := binary.BigEndian.AppendUint32(nil, throttle.MaxCount)
	server.Set(ctx, key, full[:len(full)-8]+string(most)+string(most), time.Hour)
	take := takeOf(g)
	take.Force = true
	if _, err := c.Counters().Take(ctx, take); err != nil {
		t.Fatal(err)
	}
	if counts := server.Get(ctx, key).Val(); counts[len(counts)-8:] != string(most)+string(most) {
		t.Errorf("counts are %x, want %x twice", counts[len(counts)-8:], most)
	}
	changed := limited("p", 2, time.Minute)
	if taken := mustTake(t, c.Counters(), changed); taken.Verdicts[1].Used != throttle.MaxCount {
		t.Errorf("used %d, want %d", taken.Verdicts[1].Used, throttle.MaxCount)
	}
}
