package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/testserver"
)

// raw is a connection that sees what is stored.
func raw(t *testing.T, server *testserver.RedisServer) *redis.Client {
	t.Helper()
	c := redis.NewClient(&redis.Options{Network: "unix", Addr: server.Socket(), ReadTimeout: patience, DialTimeout: patience})
	t.Cleanup(func() { _ = c.Close() })
	return c
}

// stored returns every key and its value, and sees that each has an expiry within limit.
func stored(t *testing.T, c *redis.Client, limit time.Duration) map[string]string {
	t.Helper()
	found := map[string]string{}
	keys := c.Scan(t.Context(), 0, "*", 1000).Iterator()
	for keys.Next(t.Context()) {
		key := keys.Val()
		value, err := c.Get(t.Context(), key).Result()
		if errors.Is(err, redis.Nil) {
			continue // its time has come meanwhile
		}
		if err != nil {
			t.Errorf("key %q: %v", key, err)
		}
		if ttl := c.PTTL(t.Context(), key).Val(); ttl == -1 || ttl > limit {
			t.Errorf("key %q: expires in %v, want %s at the most", key, ttl, limit)
		}
		found[key] = value
	}
	if err := keys.Err(); err != nil || len(found) == 0 {
		t.Errorf("%d keys, %v", len(found), err)
	}
	return found
}

// indexLife is that of the check value of the index secret, the only key that outlives every window.
const indexLife = 30 * 24 * time.Hour

// everyWay is a limit of each kind, and none that the flow of a test meets; checks counts verifies, in
// the step that compares them.
const (
	everyWay = "{name: hour, by: [phone], limit: 50, window: 1h}, {name: big, by: [ip_net], limit: 1000, window: 1h}, " +
		"{name: trial, by: [phone, ip], limit: 1, window: 1h, mode: shadow}, " + guesses
	checks = ", {name: checks, by: [ip], limit: 500, window: 1m, on: verify}"
)

// flow is each way that a request can end which leaves something in a store; none is unavailable.
func (s *service) flow() {
	s.t.Helper()
	id, code := s.sent(alice)
	s.wrong(s.verify(id, otherCode(code)), 4)
	s.wants(s.resend(id), "200")
	s.wants(s.verify(id, s.codeOf(id)), "200")
	s.wants(s.verify(id, s.codeOf(id)), "410 code_used")
	for kind, outcome := range map[string]string{
		"reject": "422 undeliverable", "unavailable": "502 gateway_failed", "throttle": "429 rate_limited", "timeout_after_accept": "200", "slow": "200",
	} {
		s.fault(kind, bob, map[string]string{"slow": "100ms"}[kind]) // long enough for the end of the code to be moved
		s.wants(s.send(bob), outcome)
	}
}

// PyrateLimiter#182, rate-limit-redis#71, nestjs-redis#15: scripts are forgotten before every single call.
func TestCasesForgottenScripts(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t, testserver.Persistent())
	s := start(t, rules(everyWay+checks, " resend: rotate"), onRedis(server.URL()))
	flushing, flush := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for c := raw(t, server); flushing.Err() == nil; {
			c.ScriptFlush(flushing)
		}
	}()
	for range 3 {
		s.flow()
	}
	flush()
	<-ended
	id, code := s.sent(alice)
	server.Restart() // with what it held, and without scripts and connections
	until(t, "the first call after the restart", func() bool { return s.verify(id, otherCode(code)).code() == "code_incorrect" })
	s.wants(s.verify(id, code), "200")
}

// redis/redis#4548, alisaifee/limits#14, zuul-ratelimit#162: whatever a request does, each key expires within two
// windows of its rules (a counter's two buckets), or with its code; and nothing but SET PX ever writes.
func TestCasesEveryKeyExpires(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	s := start(t, rules(everyWay+checks, " resend: rotate"), onRedis(server.URL()))
	c := raw(t, server)
	c.ConfigResetStat(t.Context())
	s.flow()
	for key, value := range stored(t, c, indexLife) {
		if ttl := c.PTTL(t.Context(), key).Val(); ttl > 2*time.Hour && !strings.HasSuffix(key, ":index") {
			t.Errorf("key %q (%d bytes) lives %s", key, len(value), ttl)
		}
	}
	allowed := []string{"eval", "evalsha", "time", "mget", "set", "del", "get", "scan", "pttl", "hello", "info", "client|setname", "config|resetstat", "script|load", "script|flush", "publish", "subscribe"}
	for command, n := range calls(t, c) {
		if !slices.Contains(allowed, command) {
			t.Errorf("%d calls of %s", n, command)
		}
	}
}

// calls returns how often the server was asked for each command.
func calls(t *testing.T, c *redis.Client) map[string]int {
	t.Helper()
	found := map[string]int{}
	for _, m := range regexp.MustCompile(`cmdstat_([a-z|]+):calls=(\d+)`).FindAllStringSubmatch(c.Info(t.Context(), "commandstats").Val(), -1) {
		found[m[1]], _ = strconv.Atoi(m[2])
	}
	return found
}

// redis/redis#4548, alisaifee/limits#14, sidekiq#2704: every key is overwritten by hand, without an expiry; the
// service goes on, and the first that it writes heals.
func TestCasesPlantedKeys(t *testing.T) {
	t.Parallel()
	for name, plant := range map[string]func(c *redis.Client, key, value string){
		"a counter at limit+1": func(c *redis.Client, key, _ string) { c.Set(t.Context(), key, 51, 0) },
		"three million":        func(c *redis.Client, key, _ string) { c.Set(t.Context(), key, 3_000_000, 0) },
		"what was there":       func(c *redis.Client, key, _ string) { c.Persist(t.Context(), key) },
		"a list":               func(c *redis.Client, key, _ string) { c.Del(t.Context(), key); c.RPush(t.Context(), key, "x") },
		"every byte but one 255": func(c *redis.Client, key, v string) {
			c.Set(t.Context(), key, v[:1]+strings.Repeat("\xff", len(v)-1), 0)
		},
		"counts of four billion": func(c *redis.Client, key, v string) {
			c.Set(t.Context(), key, v[:max(1, len(v)-8)]+strings.Repeat("\xff", 8), 0)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			server := testserver.Redis(t)
			limits := "{name: log, by: [phone], limit: 50, window: 1s}, {name: big, by: [ip_net], limit: 1000, window: 1s}"
			s := start(t, rules(limits), onRedis(server.URL()))
			c := raw(t, server)
			s.sent(alice)
			for key, value := range stored(t, c, indexLife) {
				if !strings.HasSuffix(key, ":index") && !strings.Contains(key, ":c:") {
					plant(c, key, value)
				}
			}
			until(t, "a send passes", func() bool { // at once, or after a window of the log or two of the counter
				a := s.send(alice)
				if a.status != 200 && s.wants(a, "429 rate_limited").number("retry_after") > 2 {
					t.Fatalf("longer than any window: %s", a)
				}
				return a.status == 200
			})
			stored(t, c, indexLife)
		})
	}
}

// go-redis#2339, rate-limit-redis#252: Redis does it, and its reply is lost: answered 503, counted once, and not sent
// again, though connections are ready that nothing was lost on.
func TestCasesSwallowedReplies(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	proxy := testserver.Proxy(t, server.Socket())
	s := start(t, rules("{name: four, by: [phone], limit: 4, window: 1h}"), onRedis(proxy.URL()), within(2*time.Second))
	c := raw(t, server)
	id, code := s.sentSoon(bob)
	s.verifiedSoon(id, code) // from here on the server knows the scripts
	known, used := id, code
	id, code = s.sentSoon(alice)
	lost := func(call func() answer, end func(ran func() bool)) {
		t.Helper()
		// After replies that were lost calls may fail fast for a while: nobody may be asked then, and nothing runs.
		until(t, "calls pass", func() bool { return s.verify(known, used).code() == "code_used" })
		s.warm(known, used) // calls share connections, and the last one may be lost
		before := calls(t, c)["evalsha"]
		ran := func() bool { return calls(t, c)["evalsha"] > before }
		proxy.SwallowReplies(0)
		answered := make(chan answer, 1)
		go func() { answered <- call() }()
		end(ran)
		s.wants(<-answered, "503 unavailable")
		proxy.Pass()
		if n := calls(t, c)["evalsha"] - before; n != 1 {
			t.Errorf("scripts were run %d times, want once", n)
		}
	}
	silent := func(func() bool) {} // until the caller gives up
	cut := func(ran func() bool) { // while there is time to do it again, and nothing in the way
		until(t, "Redis has done it", ran)
		proxy.Cut() // first: the reply may be on its way still
		proxy.Pass()
	}
	send := func() answer { return s.send(alice) }
	lost(send, silent)
	lost(func() answer { return s.verify(id, code) }, silent)
	lost(send, cut)
	until(t, "the verify was counted once", func() bool { return s.verify(id, code).code() == "code_used" })
	sent := 0
	until(t, "the limit is reached", func() bool {
		a := s.send(alice)
		if a.status == 200 {
			sent++
		}
		return a.status == 429
	})
	if sent != 1 { // of four, one before, and the two that were lost stay charged
		t.Errorf("%d more sends passed, want 1", sent)
	}
	if n := len(s.inbox("phone=%2B8613800138000")); n != 2 {
		t.Errorf("%d messages, want 2", n)
	}
}

// tensorzero#6346, sourcegraph#296: a full Redis is unavailable: nothing allowed, nothing verified, nothing called
// wrong; and one that evicts is warned of at the start.
func TestCasesFullRedis(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	c := raw(t, server)
	c.ConfigSet(t.Context(), "maxmemory-policy", "allkeys-lru")
	s := start(t, rules(everyWay), onRedis(server.URL()))
	until(t, "a warning of a server that evicts", func() bool {
		log := s.log.String()
		return strings.Contains(log, "level=WARN") && strings.Contains(log, "allkeys-lru")
	})
	id, code := s.sent(alice)
	before := stored(t, c, indexLife)
	c.ConfigSet(t.Context(), "maxmemory-policy", "noeviction")
	c.ConfigSet(t.Context(), "maxmemory", "1")
	for _, a := range []answer{s.send(bob), s.send(alice), s.resend(id), s.verify(id, code), s.verify(id, otherCode(code))} {
		s.wants(a, "503 unavailable")
	}
	if after := stored(t, c, indexLife); !maps.Equal(before, after) {
		t.Error("something was written")
	}
	s.countMessages(1)
	c.ConfigSet(t.Context(), "maxmemory", "0")
	s.wrong(s.verify(id, otherCode(code)), 4)
	s.wants(s.verify(id, code), "200")
	s.sent(bob)
}

// otovo/redis-rate-limiters#11: a user who may not ask for the TIME: it does not start, and says which permission
// is missing.
func TestCasesForbiddenCommand(t *testing.T) {
	t.Parallel()
	for command, rule := range map[string]string{"time": "-time", "evalsha": "-evalsha", "SET": "-set"} {
		server := testserver.Redis(t, testserver.User("smsd", "hunter2", "~*", "&*", "+@all", rule))
		err := assembled(t, "", onRedis(server.URL())).app.Run(t.Context(), nil)
		if err == nil || !strings.Contains(err.Error(), "permission") || !strings.Contains(err.Error(), command) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("without %s: %v", command, err)
		}
	}
}

// openwisp-radius PR 790, better-auth PR 8067: the same through two instances on one Redis, one of which knows the
// other's secret as its older one.
func TestCasesTwoInstances(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	policy := rules("{name: five, by: [phone], limit: 5, window: 1h}")
	one := start(t, policy, onRedis(server.URL()))
	two := start(t, policy, onRedis(server.URL()), func(c *config.Config) {
		c.Secrets = append([]secret.Text{secret.New(strings.Repeat("the newer secret", 2))}, c.Secrets...)
	})
	both := []*service{one, two}
	got := together(100, func(i int) answer { return both[i%2].send(alice) })
	if got["200"] != 5 || got["429 rate_limited"] != 95 {
		t.Errorf("answers %v", got)
	}
	if n := len(one.inbox("")) + len(two.inbox("")); n != 5 {
		t.Errorf("%d messages, want 5", n)
	}
	id, code := one.sent(bob)
	got = together(50, func(i int) answer { return both[i%2].verify(id, code) })
	if got["200"] != 1 || got["410 code_used"] != 49 {
		t.Errorf("answers %v", got)
	}
	for i := range 5 {
		one.sent(fmt.Sprintf("+861390013900%d", i)) // each limit is a number's own
	}
}
