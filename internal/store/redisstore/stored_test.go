package redisstore

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// zuul-ratelimit#162: whatever writes a key gives it a time to live, as long as the plan says.
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
			case strings.HasSuffix(key, ":resets"):
				longest = resetsTTL
			}
			if ttl <= longest-time.Minute || ttl > longest {
				t.Errorf("after %s, %s lives %s, want %s", ch.name, key, ttl, longest)
			}
		}
	}
}

// better-auth 11297: what is stored says nothing of whom it counts.
func TestStoredFormHoldsNothingInClear(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c, server := open(t, s.URL()), raw(t, s)
	limiter, err := throttle.New(throttle.Options{Store: c.Counters(), IndexSecret: bytes.Repeat([]byte{7}, 32)})
	if err != nil {
		t.Fatal(err)
	}
	clear := map[throttle.Kind]string{
		throttle.Phone: "+8613800138000", throttle.IP: "203.0.113.77", throttle.IPNet: "203.0.113.0/24",
		throttle.Device: "device-4711", throttle.App: "application-1", throttle.Country: "Country-CN",
		throttle.Prefix: "+861380013",
	}
	rules := []throttle.Rule{{Name: "all", Limit: 9, Window: time.Hour}}
	request := throttle.Request{Event: throttle.Send, Scene: "login"}
	for kind, id := range clear {
		by := []throttle.Kind{kind}
		rules = append(rules,
			throttle.Rule{Name: kind.String(), By: by, Limit: 9, Window: time.Hour},
			throttle.Rule{Name: kind.String() + "-big", By: by, Limit: 1000, Window: time.Hour})
		request.Subjects = append(request.Subjects, throttle.Subject{Kind: kind, ID: id})
	}
	if request.Rules, err = throttle.Compile(rules, []string{"login"}); err != nil {
		t.Fatal(err)
	}
	if _, err := limiter.Reserve(context.Background(), request); err != nil {
		t.Fatal(err)
	}
	stored := contents(t, server)
	if len(stored) < len(clear) {
		t.Fatalf("%d keys for %d subjects", len(stored), len(clear))
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
	const id = "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69"
	if _, err := c.Codes().Put(ctx, id, record()); err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 5, 10, 20, throttle.MaxEntries, 300} {
		t.Logf("a phone with %d entries takes %d bytes", n, bytesAt[n])
	}
	t.Logf("a code takes %d bytes", server.MemoryUsage(ctx, c.keys.code(id)).Val())
	if bytesAt[10] > 260 {
		t.Errorf("a phone with ten entries takes %d bytes, want 260 at most", bytesAt[10])
	}
	if bytesAt[300] > 2000 {
		t.Errorf("a phone that is flooded takes %d bytes: MaxEntries of 12 are 1536", bytesAt[300])
	}
}
