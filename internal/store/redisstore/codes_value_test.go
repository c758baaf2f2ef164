package redisstore

import (
	"context"
	"math"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/testserver"
)

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
		if err != nil || !r.CreatedAt.Equal(at) || !r.ExpiresAt.Equal(at.Add(n.TTL)) || !r.Now.Equal(at) ||
			string(r.Sealed) != string(n.Sealed) {
			t.Errorf("put at %s, got %+v, %v", at, r, err)
		}
		g := limited(id, 1, time.Hour)
		if taken := mustTake(t, c.Counters(), g); !taken.At.Equal(at) {
			t.Errorf("took at %s, want %s", taken.At, at)
		}
		taken := mustTake(t, c.Counters(), g)
		if taken.Verdicts[0].Wait != time.Hour || taken.Verdicts[1].Wait != 2*time.Hour {
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
		"app":      func(n *sms.NewRecord) { n.App = strings.Repeat("a", 256) },
		"scene":    func(n *sms.NewRecord) { n.Scene = strings.Repeat("a", 256) },
		"sealed":   func(n *sms.NewRecord) { n.Sealed = make([]byte, math.MaxUint16+1) },
		"length":   func(n *sms.NewRecord) { n.Length = 256 },
		"attempts": func(n *sms.NewRecord) { n.Attempts = -1 },
		"ttl":      func(n *sms.NewRecord) { n.TTL = 500 * 24 * time.Hour },
		"keep":     func(n *sms.NewRecord) { n.Keep = -time.Second },
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
	for name, change := range map[string]func(*sms.Guess){
		"app":     func(g *sms.Guess) { g.App = strings.Repeat("a", 256) },
		"scene":   func(g *sms.Guess) { g.Scene = strings.Repeat("a", 256) },
		"length":  func(g *sms.Guess) { g.Length = 256 },
		"below 0": func(g *sms.Guess) { g.Length = -1 },
	} {
		g := guess(1)
		change(&g)
		if _, err := c.Codes().Verify(ctx, "a", g); err == nil || !strings.Contains(err.Error(), "out of range") {
			t.Errorf("a guess whose %s is out of range: %v", name, err)
		}
	}
	for _, a := range []sms.Amendment{
		{ExpiresIn: -time.Second}, {ExpiresIn: 500 * 24 * time.Hour}, {Sealed: make([]byte, math.MaxUint16+1)},
	} {
		if err := c.Codes().Amend(ctx, "a", a); err == nil {
			t.Errorf("an amendment to %s with %d bytes passes", a.ExpiresIn, len(a.Sealed))
		}
	}
	if after := contents(t, server); !reflect.DeepEqual(after, before) {
		t.Errorf("changed: %q", after)
	}
}
