package redisstore

import (
	"bytes"
	"context"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// Invariant 5, zuul-ratelimit#162: whatever writes a key gives it a time to live, as long as the plan says.
func TestEveryKeyHasATimeToLive(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	for _, ch := range changes(t, c) {
		ch.succeed(t, server)
		for key := range contents(t, server) {
			ttl := server.PTTL(context.Background(), key).Val()
			longest := 2 * time.Hour // two windows of an hour
			switch {
			case strings.Contains(key, ":c:"):
				longest = 15 * time.Minute // a life of 5 and 10 more
			case strings.HasSuffix(key, ":index"):
				longest = indexTTL
			}
			if ttl <= longest-time.Minute || ttl > longest {
				t.Errorf("after %s, %s lives %s, want %s", ch.name, key, ttl, longest)
			}
		}
	}
}

// better-auth 11297: what is stored says nothing of a number, an address or a code, also where a caller's data ends up.
func TestStoredFormHoldsNothingInClear(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	limiter, err := throttle.New(throttle.Options{Store: c.Counters(), IndexSecret: bytes.Repeat([]byte{7}, 32)})
	if err != nil {
		t.Fatal(err)
	}
	all := []throttle.Kind{throttle.Phone, throttle.IP, throttle.IPNet, throttle.Device, throttle.App, throttle.Country, throttle.Prefix}
	rules := []throttle.Rule{{Name: "all", Limit: 9, Window: time.Hour}, {Name: "big", Limit: 1000, Window: time.Hour, By: []throttle.Kind{throttle.Phone}}}
	for _, kind := range all {
		rules = append(rules, throttle.Rule{Name: kind.String(), By: []throttle.Kind{kind}, Limit: 9, Window: time.Hour})
	}
	set, err := throttle.Compile(rules, []string{"login"})
	if err != nil {
		t.Fatal(err)
	}
	clear := map[throttle.Kind]string{
		throttle.Phone: "+8613800138000", throttle.IP: "203.0.113.77", throttle.IPNet: "203.0.113.0/24", throttle.Device: "device-4711",
		throttle.App: "application-1", throttle.Country: "Country-CN", throttle.Prefix: "+861380013",
	}
	request := throttle.Request{Rules: set, Event: throttle.Send, Scene: "login"}
	for _, kind := range all {
		request.Subjects = append(request.Subjects, throttle.Subject{Kind: kind, ID: clear[kind]})
	}
	if _, err := limiter.Reserve(context.Background(), request); err != nil {
		t.Fatal(err)
	}
	stored := contents(t, server)
	if len(stored) < len(all) {
		t.Fatalf("%d keys for %d subjects", len(stored), len(all))
	}
	for key, value := range stored {
		for kind, text := range clear {
			if strings.Contains(key, text) || strings.Contains(value, text) {
				t.Errorf("the %s stands in %q = %q", kind, key, value)
			}
		}
	}
}

// The figures that the layout was chosen for.
func TestMemoryOfAKey(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server, ctx := open(t, s.URL()), raw(t, s), context.Background()
	phone := throttle.Group{Key: tagged(1, "p"), Plan: phonePlan()}
	bytesAt := map[int]int64{}
	for n := range 300 {
		take := takeOf(phone)
		take.Force = true
		if _, err := c.Counters().Take(ctx, take); err != nil {
			t.Fatal(err)
		}
		bytesAt[n+1] = server.MemoryUsage(ctx, c.keys.counter(phone.Key)).Val()
	}
	if _, err := c.Codes().Put(ctx, "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69", record()); err != nil {
		t.Fatal(err)
	}
	t.Logf("bytes of a phone with 1, 5, 10, 20, 128, 300 entries: %d, %d, %d, %d, %d, %d; of a code: %d", bytesAt[1], bytesAt[5],
		bytesAt[10], bytesAt[20], bytesAt[128], bytesAt[300], server.MemoryUsage(ctx, c.keys.code("0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69")).Val())
	if bytesAt[10] > 260 {
		t.Errorf("a phone with ten entries takes %d bytes, want 260 at most", bytesAt[10])
	}
	if bytesAt[300] > 2000 {
		t.Errorf("a phone that is flooded takes %d bytes: MaxEntries of 12 are 1536", bytesAt[300])
	}
}

// redis/redis#4548, alisaifee/limits#14, sidekiq#2704: keys that no script has written, or that never end. A limit is
// then as if nothing had been counted, or holds for a window at most; the first charge puts a time to live on.
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
		"another version":          func() { server.Set(ctx, key, "\x02"+full[1:], 0) },
		"a value cut short":        func() { server.Set(ctx, key, full[:len(full)-1], 0) },
		"a value with more behind": func() { server.Set(ctx, key, full+"x", 0) },
		"a whole value, immortal":  func() { server.Set(ctx, key, full, 0) },
		"a value from the future":  func() { server.Set(ctx, key, strings.ReplaceAll(full, full[9:15], "\xff\xff\xff\xff\xff\xff"), 0) },
		"a record of millions":     func() { server.Set(ctx, key, full[:len(full)-8]+"\xff\xff\xff\xff\xff\xff\xff\xff", 0) },
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

// inngest#3290: Lua's numbers are doubles. Instants survive them, and what is sealed never becomes one.
func TestNumbersAreExact(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	now := time.UnixMilli(1<<48 - 1 - int64(20*time.Minute/time.Millisecond)).UTC() // the last that six bytes hold
	c, ctx := open(t, s.URL(), withClock(func() time.Time { return now })), context.Background()
	n := record()
	n.Sealed = []byte("1784600000123456789")
	for _, at := range []time.Time{now, time.UnixMilli(1784600000123).UTC(), time.UnixMilli(1).UTC()} {
		now = at
		id := strconv.FormatInt(at.UnixMilli(), 10)
		if got, err := c.Codes().Put(ctx, id, n); err != nil || !got.Equal(at) {
			t.Errorf("put: %s, %v, want %s", got, err, at)
		}
		r, err := c.Codes().Get(ctx, id)
		if err != nil || !r.CreatedAt.Equal(at) || !r.ExpiresAt.Equal(at.Add(n.TTL)) || !r.Now.Equal(at) || string(r.Sealed) != string(n.Sealed) {
			t.Errorf("put at %s, got %+v, %v", at, r, err)
		}
		if taken := mustTake(t, c.Counters(), limited(id, 1, time.Hour)); !taken.At.Equal(at) {
			t.Errorf("took at %s, want %s", taken.At, at)
		}
		if taken := mustTake(t, c.Counters(), limited(id, 1, time.Hour)); taken.Verdicts[0].Wait != time.Hour || taken.Verdicts[1].Wait != 2*time.Hour {
			t.Errorf("at %s: %+v", at, taken.Verdicts)
		}
	}
}

// limiters#48: what means something in keys means nothing here.
func TestBracesInNames(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, ctx := open(t, s.URL()), context.Background()
	for _, id := range []string{"a", "a}b", "}", "{a", "", "a{x}b:c", "a\x00\r\n"} {
		n := record()
		n.Scene, n.App = "a{x}b", "}"+id
		if _, err := c.Codes().Put(ctx, id, n); err != nil {
			t.Fatal(err)
		}
		r, err := c.Codes().Get(ctx, id)
		if err != nil || r.Scene != n.Scene || r.App != n.App {
			t.Errorf("%q: %+v, %v", id, r, err)
		}
	}
}

// What does not fit the stored form is refused before the server sees it.
func TestRecordsOutOfRangeAreRefused(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server, ctx := open(t, s.URL()), raw(t, s), context.Background()
	for name, change := range map[string]func(*sms.NewRecord){
		"app": func(n *sms.NewRecord) { n.App = strings.Repeat("a", 256) }, "scene": func(n *sms.NewRecord) { n.Scene = strings.Repeat("a", 256) },
		"sealed": func(n *sms.NewRecord) { n.Sealed = make([]byte, math.MaxUint16+1) }, "length": func(n *sms.NewRecord) { n.Length = 256 },
		"attempts": func(n *sms.NewRecord) { n.Attempts = -1 }, "ttl": func(n *sms.NewRecord) { n.TTL = 500 * 24 * time.Hour },
		"keep": func(n *sms.NewRecord) { n.Keep = -time.Second },
	} {
		n := record()
		change(&n)
		if _, err := c.Codes().Put(ctx, name, n); err == nil {
			t.Errorf("%s passes", name)
		}
	}
	if _, err := c.Codes().Put(ctx, "a", record()); err != nil {
		t.Fatal(err)
	}
	before := contents(t, server)
	for _, a := range []sms.Amendment{{ExpiresIn: -time.Second}, {ExpiresIn: 500 * 24 * time.Hour}, {Sealed: make([]byte, math.MaxUint16+1)}} {
		if err := c.Codes().Amend(ctx, "a", a); err == nil {
			t.Errorf("an amendment to %s with %d bytes passes", a.ExpiresIn, len(a.Sealed))
		}
	}
	if after := contents(t, server); !reflect.DeepEqual(after, before) {
		t.Errorf("changed: %q", after)
	}
}
