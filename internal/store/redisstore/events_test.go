package redisstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// ear keeps what a process is told.
type ear struct {
	mu    sync.Mutex
	heard []string
}

// listenTo follows resets through c.
func listenTo(c *Client) *ear {
	e := &ear{}
	c.Counters().(throttle.Herald).OnReset(e.told)
	return e
}

func (e *ear) told(tags ...throttle.Tag) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(tags) == 0 {
		tags = []throttle.Tag{"all"}
	}
	for _, t := range tags {
		e.heard = append(e.heard, string(t))
	}
}

func (e *ear) has(tag string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Contains(e.heard, tag)
}

// listeners is how many connections listen on the default prefix.
func listeners(t testing.TB, server *redis.Client) int64 {
	t.Helper()
	all, err := server.PubSubNumSub(context.Background(), "smsd:1:resets").Result()
	if err != nil {
		t.Fatal(err)
	}
	return all["smsd:1:resets"]
}

func mustReset(t testing.TB, c *Client, tags ...throttle.Tag) {
	t.Helper()
	if err := c.Counters().Reset(context.Background(), tags...); err != nil {
		t.Fatal(err)
	}
}

func TestResetsAreTold(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	server := raw(t, s)
	one, two := open(t, s.URL()), open(t, s.URL())
	other := open(t, s.URL(), ownPrefix(t))
	first, second, stranger := listenTo(one), listenTo(two), listenTo(other)
	eventually(t, "all listen", func() bool { return listeners(t, server) == 2 })
	eventually(t, "both have heard of one by a message, with all its tags", func() bool { // the number may be quicker
		mustReset(t, two, "a-tag", "b-tag")
		return first.has("a-tag") && first.has("b-tag") && second.has("a-tag") && second.has("b-tag")
	})
	stranger.mu.Lock()
	defer stranger.mu.Unlock()
	if len(stranger.heard) > 0 {
		t.Errorf("another prefix has heard %v", stranger.heard)
	}
	if ttl := server.PTTL(context.Background(), "smsd:1:resets").Val(); ttl <= 0 || ttl > resetsTTL {
		t.Errorf("the number lives %s", ttl)
	}
}

// In a cluster each listens to one server, and hears what was published on any.
func resetsAreToldInACluster(t *testing.T, s *testserver.ClusterServers) {
	one, two := open(t, s.URL(), ownPrefix(t)), open(t, s.URL(), ownPrefix(t))
	first, second := listenTo(one), listenTo(two)
	eventually(t, "both have heard of it by a message", func() bool {
		mustReset(t, one, "a-tag")
		return first.has("a-tag") && second.has("a-tag")
	})
	if w := one.Warnings(); len(w) > 0 {
		t.Error(w)
	}
}

// Without the permission to listen, or to tell, the number is read; the warning names what is missing.
func TestResetsWithoutMessages(t *testing.T) {
	t.Parallel()
	for missing, acl := range map[string]string{
		"+subscribe": "-subscribe", "+publish": "-publish", "&smsd:1:resets": "resetchannels",
	} {
		t.Run(missing, func(t *testing.T) {
			t.Parallel()
			s := testserver.Redis(t, testserver.User("smsd", "hunter2", permissions, acl, "+scan"))
			one, two := open(t, s.URL()), open(t, s.URL())
			e := listenTo(two)
			eventually(t, "a warning", func() bool {
				return slices.ContainsFunc(two.Warnings(), func(w string) bool {
					return strings.Contains(w, missing) && strings.Contains(w, "permission")
				})
			})
			mustReset(t, one, "a-tag")
			eventually(t, "the reset is heard of", func() bool { return e.has("all") })
			if e.has("a-tag") {
				t.Error("a message has come")
			}
		})
	}
}

// A listener whose connection is cut comes back; what it missed meanwhile, the number tells.
func TestListeningGoesOn(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	server, ctx := raw(t, s), context.Background()
	c := open(t, s.URL())
	e := listenTo(c)
	eventually(t, "it listens", func() bool { return listeners(t, server) == 1 })
	if err := server.ClientKillByFilter(ctx, "TYPE", "pubsub").Err(); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it listens again", func() bool { return listeners(t, server) == 1 })
	mustReset(t, c, "a-tag")
	eventually(t, "it hears", func() bool { return e.has("a-tag") || e.has("all") })
	// A server that has restarted empty has no number any more, and may have lost everything.
	s.Kill()
	e.mu.Lock()
	e.heard = nil // before it is back, since it may be asked at once
	e.mu.Unlock()
	s.Restart()
	eventually(t, "the loss is seen", func() bool { return e.has("all") })
	server = raw(t, s)
	eventually(t, "it listens to the new one", func() bool { return listeners(t, server) == 1 })
	if err := c.Close(); err != nil {
		t.Error(err)
	}
	eventually(t, "nobody listens", func() bool { return listeners(t, server) == 0 })
}

// A server that says nothing is asked for a sign of life, and one that gives none is left.
func TestSilence(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c := open(t, s.URL())
	n, err := c.newsNode()
	if err != nil {
		t.Fatal(err)
	}
	p := n.subscribe(t.Context(), "quiet")
	defer func() { _ = p.Close() }()
	for n := range 3 { // the first hears that it has subscribed, the others that it has again
		eventually(t, fmt.Sprintf("sign of life %d", n), func() bool {
			got, err := hear(t.Context(), p, "quiet", 20*time.Millisecond)
			_, subscribed := got.(*redis.Subscription)
			return err == nil && subscribed
		})
	}
	s.Freeze()
	eventually(t, "it is given up", func() bool {
		_, err := hear(t.Context(), p, "quiet", 20*time.Millisecond)
		return err != nil
	})
	s.Thaw()
}

// What is planted under the number, or published by somebody else, neither hides a reset nor stops anything.
func TestPlantedResets(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	server, ctx := raw(t, s), context.Background()
	c := open(t, s.URL())
	e := listenTo(c)
	eventually(t, "it listens", func() bool { return listeners(t, server) == 1 })
	for n, planted := range []string{"1e300", "nan", "-5", "1.5", "x", "9007199254740993", "0x10", ""} {
		server.Set(ctx, "smsd:1:resets", planted, 0)
		server.Publish(ctx, "smsd:1:resets", planted)
		tag := throttle.Tag(fmt.Sprint("tag-", n))
		mustReset(t, c, tag)
		eventually(t, planted, func() bool { return e.has(string(tag)) || e.has("all") })
		if ttl := server.PTTL(ctx, "smsd:1:resets").Val(); ttl <= 0 {
			t.Errorf("%q: the number lives %s", planted, ttl)
		}
	}
	server.Del(ctx, "smsd:1:resets")
	server.LPush(ctx, "smsd:1:resets", "of another type")
	mustReset(t, c, "last")
	eventually(t, "the last", func() bool { return e.has("last") || e.has("all") })
}

// Every order in which messages and readings can come: no reset is missed.
func TestNumbersAndMessages(t *testing.T) {
	t.Parallel()
	heard := &ear{}
	e := &events{told: heard.told}
	for _, c := range []struct {
		message string // "": the number is read
		number  int64
		want    string
	}{
		{"", 0, ""},             // no reset yet
		{"0 100 a b", 0, "a b"}, // the first
		{"", 100, ""},           // which explains the number
		{"100 200 c", 0, "c"},   // follows on it
		{"300 400 d", 0, "all"}, // one was missed
		{"", 400, ""},
		{"", 500, "all"},      // read before its message has come
		{"400 500 e", 0, "e"}, // which then comes
		{"300 400 d", 0, "d"}, // and one from before it, late
		{"", 500, ""},
		{"", 400, "all"}, // a reading that was under way for long
		{"", 500, "all"},
		{"", 0, "all"}, // a server that has restarted empty
		{"0 600 f", 0, "f"},
		{"600", 0, ""}, // no messages of ours
		{"600 700", 0, ""},
		{"x y z", 0, ""},
		{"700 600 z", 0, ""},
		{"-1 700 z", 0, ""},
		{"600 700 " + strings.Repeat("z ", maxToldTags+1), 0, ""},
		{"", 600, ""},
	} {
		heard.heard = nil
		if c.message != "" {
			e.message(c.message)
		} else {
			e.read(c.number)
		}
		if got := strings.Join(heard.heard, " "); got != c.want {
			t.Errorf("message %q, number %d: told %q, want %q", c.message, c.number, got, c.want)
		}
	}
}

// Whoever tells of a reset and listens to none says too what is missing.
func TestResetThatCanNotBeTold(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t, testserver.User("smsd", "hunter2", permissions, "-publish", "+scan"))
	c := open(t, s.URL())
	mustReset(t, c, "a-tag")
	if w := strings.Join(c.Warnings(), "\n"); !strings.Contains(w, "+publish") {
		t.Errorf("warnings: %q", w)
	}
}

// After a failover the listener hears the former primary no more, though that goes on to talk.
func TestListeningMovesToTheNextPrimary(t *testing.T) {
	t.Parallel()
	former, next := testserver.Redis(t), testserver.Redis(t)
	c := open(t, former.URL())
	before, after := raw(t, former), raw(t, next)
	listenTo(c)
	eventually(t, "it listens", func() bool { return listeners(t, before) == 1 })
	c.servers.found.Store(whole(c.servers.fleet.node(next.Socket())))
	eventually(t, "it listens to the next one", func() bool {
		former.Do("publish", "smsd:1:resets", "anything")
		return listeners(t, after) == 1
	})
	eventually(t, "nobody listens to the former", func() bool { return listeners(t, before) == 0 })
}

// A number that was forgotten does not come again: who knows it would take the next reset for one that is known.
func TestNumbersNeverComeAgain(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	server, ctx := raw(t, s), context.Background()
	c := open(t, s.URL())
	now := time.Now().UnixMilli()
	mustReset(t, c, "a-tag")
	first, err := server.Get(ctx, "smsd:1:resets").Int64()
	if err != nil || first < now {
		t.Errorf("%d at %d, %v", first, now, err)
	}
	mustReset(t, c, "a-tag")
	second, err := server.Get(ctx, "smsd:1:resets").Int64()
	if err != nil || second <= first {
		t.Errorf("%d after %d, %v", second, first, err)
	}
}

// A user with what the docs name for requests may not look for the counters of a number that is erased.
func TestAResetWithoutPermissionSaysWhichOne(t *testing.T) {
	t.Parallel()
	c := open(t, testserver.Redis(t, testserver.User("smsd", "hunter2", permissions)).URL())
	if err := c.Counters().Reset(t.Context(), "a-tag"); !errors.Is(err, throttle.ErrUnavailable) || !strings.Contains(err.Error(), "+scan") {
		t.Errorf("%v", err)
	}
}
