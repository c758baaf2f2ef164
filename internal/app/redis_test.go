package app

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/testserver"
)

// redisConfig is devConfig on the Redis at url.
// redisConfig has patience with Redis: on a busy machine the usual budget may pass with nobody at fault.
func redisConfig(t *testing.T, url string) *config.Config {
	t.Helper()
	cfg := hastyConfig(t, url)
	cfg.Redis.Budget = patience
	return cfg
}

// hastyConfig has the budget of somebody who sets none, for tests of a Redis that does not answer.
func hastyConfig(t *testing.T, url string) *config.Config {
	t.Helper()
	cfg := devConfig(t)
	cfg.Redis.URL = secret.New(url)
	return cfg
}

// rawKeys returns every key and its value.
func rawKeys(t *testing.T, url string) map[string]string {
	t.Helper()
	options, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	found := map[string]string{}
	for _, key := range client.Keys(t.Context(), "*").Val() {
		value, err := client.Get(t.Context(), key).Result()
		if err != nil {
			t.Errorf("key %q: %v", key, err)
		}
		if ttl := client.PTTL(t.Context(), key).Val(); ttl <= 0 {
			t.Errorf("key %q: no expiry (%v)", key, ttl)
		}
		found[key] = value
	}
	return found
}

// cron-job.org#446: an instance whose Redis is away listens, is not ready, sends nothing and calls
// nothing verified; it recovers by itself.
func TestARedisThatIsAwayAtTheStart(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	server.Kill()
	a, _ := startApp(t, hastyConfig(t, server.URL()))
	if ready := call("GET", a.PublicURL()+"/readyz", nil); ready.status != http.StatusServiceUnavailable {
		t.Errorf("ready: %+v", ready)
	}
	if alive := call("GET", a.PublicURL()+"/livez", nil); alive.status != http.StatusOK {
		t.Errorf("alive: %+v", alive)
	}
	if sent := sendTo(a, "+8613800138000"); sent.status != http.StatusServiceUnavailable || sent.text("code") != "unavailable" {
		t.Errorf("send: %+v", sent)
	}
	const id = "5f8a7c8e-3a35-4c5a-8f57-1d8a5a8d7a11"
	if v := verify(a, id, "123456"); v.status != http.StatusServiceUnavailable || v.text("code") != "unavailable" {
		t.Errorf("verify: %+v", v)
	}
	server.Restart()
	until(t, "ready", func() bool { return call("GET", a.PublicURL()+"/readyz", nil).status == http.StatusOK })
	if sent := sendTo(a, "+8613800138000"); sent.status != http.StatusOK {
		t.Errorf("send once it is back: %+v", sent)
	}
	if n := len(a.http.Mock.Messages(mockFilter(""))); n != 1 {
		t.Errorf("%d messages, want the one that was answered 200", n)
	}
}

// A store that is lost later makes the instance degraded, in the body and in a metric, and not unready.
func TestARedisThatIsLostMakesDegradedNotUnready(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	a, log := startApp(t, hastyConfig(t, server.URL()))
	server.Kill()
	until(t, "degraded", func() bool {
		ready := call("GET", a.PublicURL()+"/readyz", nil)
		if ready.status != http.StatusOK {
			t.Fatalf("unready: %+v", ready)
		}
		return ready.text("status") == "degraded"
	})
	if !strings.Contains(metrics(t, a), "\nsmsd_store_up 0\n") {
		t.Error("the metric says that it is up")
	}
	server.Restart()
	until(t, "no longer degraded", func() bool { return call("GET", a.PublicURL()+"/readyz", nil).text("status") == "ok" })
	if !strings.Contains(metrics(t, a), "\nsmsd_store_up 1\n") || !strings.Contains(log.String(), "the stores are back") {
		t.Error("the metric or the log says that it is still lost")
	}
}

// paramant-relay PR 368, redis_rate#60: Redis frozen. Sends and verifies answer 503 in time, and what they
// asked for does not happen when Redis thaws.
func TestAFrozenRedisIsAnswered503AndNothingHappensLate(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	a, _ := startApp(t, hastyConfig(t, server.URL()))
	sent := sendTo(a, "+8613800138000")
	if sent.status != http.StatusOK {
		t.Fatalf("send: %+v", sent)
	}
	id := sent.text("sms_id")
	code := codeOf(t, a, id)
	before := rawKeys(t, server.URL())

	server.Freeze()
	answers := inParallel(20, func(i int) answer {
		if i%2 == 0 {
			return verify(a, id, code)
		}
		return sendTo(a, fmt.Sprintf("+86138001380%02d", i))
	})
	server.Thaw()
	var longest time.Duration
	for _, got := range answers {
		longest = max(longest, got.took)
		if got.status != http.StatusServiceUnavailable || got.text("code") != "unavailable" {
			t.Errorf("while frozen: %+v", got)
		}
	}
	t.Logf("the longest of %d answers took %s (asked: 500ms)", len(answers), longest)
	if longest > 5*time.Second {
		t.Errorf("the longest answer took %s: the budget of %s was not kept", longest, a.cfg.Redis.Budget)
	}

	until(t, "Redis answers", func() bool { return a.stores.ping(t.Context()) == nil })
	if after := rawKeys(t, server.URL()); len(after) != len(before) {
		t.Errorf("%d keys before, %d after: something happened late", len(before), len(after))
	}
	if n := len(a.http.Mock.Messages(mockFilter(""))); n != 1 {
		t.Errorf("%d messages, want only the one from before", n)
	}
	if v := verify(a, id, code); v.status != http.StatusOK {
		t.Errorf("the code was consumed by a verify that was answered 503: %+v", v)
	}
}

// inParallel calls do n times at once.
func inParallel(n int, do func(i int) answer) []answer {
	answers := make([]answer, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { answers[i] = do(i) })
	}
	all.Wait()
	return answers
}

func metrics(t *testing.T, a *App) string {
	t.Helper()
	families, err := a.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, f := range families {
		for _, m := range f.GetMetric() {
			fmt.Fprintf(&b, "%s %v\n", f.GetName(), m.GetGauge().GetValue())
		}
	}
	return b.String()
}

func TestAnotherIndexSecretDoesNotStart(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	first, _ := startApp(t, redisConfig(t, server.URL()))
	_ = first.Stop(t.Context())
	second, _ := newApp(t, redisConfig(t, server.URL())) // its data_dir is another one, and so is its secret
	err := second.Run(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "index_secret") || !strings.Contains(err.Error(), "redis.url") {
		t.Errorf("it ran: %v", err)
	}
}

// The same where Redis comes later: what cannot pass ends the instance.
func TestAnotherIndexSecretEndsAnInstanceThatWaitedForRedis(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t, testserver.Persistent())
	first, _ := startApp(t, redisConfig(t, server.URL()))
	_ = first.Stop(t.Context())
	server.Kill()
	second, _ := newApp(t, redisConfig(t, server.URL()))
	ended := runApp(t, second, nil)
	server.Restart()
	select {
	case err := <-ended:
		if err == nil || !strings.Contains(err.Error(), "index_secret") {
			t.Errorf("ended with %v", err)
		}
	case <-time.After(patience):
		t.Error("it waits for ever")
	}
}

func TestCountersOnAServerOfTheirOwn(t *testing.T) {
	t.Parallel()
	codes, counters := testserver.Redis(t), testserver.Redis(t)
	cfg := redisConfig(t, codes.URL())
	cfg.Redis.CountersURL = secret.New(counters.URL())
	a, _ := startApp(t, cfg)
	sent := sendTo(a, "+8613800138000")
	if v := verify(a, sent.text("sms_id"), codeOf(t, a, sent.text("sms_id"))); v.status != http.StatusOK {
		t.Fatalf("verify: %+v", v)
	}
	if n, m := len(rawKeys(t, codes.URL())), len(rawKeys(t, counters.URL())); n != 2 || m < 5 {
		t.Errorf("%d keys with the codes (want the code and the check value), %d with the counters", n, m)
	}
	counters.Kill()
	if refused := sendTo(a, "+8613800138001"); refused.status != http.StatusServiceUnavailable {
		t.Errorf("without counters: %+v", refused)
	}
}

// The stores that an instance can have; each must hold what is said of all.
func onBothStores(t *testing.T, test func(t *testing.T, cfg *config.Config)) {
	t.Helper()
	t.Run("memory", func(t *testing.T) { t.Parallel(); test(t, devConfig(t)) })
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		cfg := redisConfig(t, testserver.Redis(t).URL())
		cfg.Redis.Budget = patience // a machine that is busy is no fault
		test(t, cfg)
	})
}

// openwisp-radius PR 790, care PR 3630: 100 at once, limit 5.
func TestAHundredSendsAtOnceAtLimitFive(t *testing.T) {
	t.Parallel()
	onBothStores(t, func(t *testing.T, cfg *config.Config) {
		cfg.PolicyFile = policyFile(t, "limits: [{name: hour, by: [phone], limit: 5, window: 1h}]")
		a, _ := startApp(t, cfg)
		statuses := map[int]int{}
		for _, got := range inParallel(100, func(int) answer { return sendTo(a, "+8613800138000") }) {
			statuses[got.status]++
		}
		if n := len(a.http.Mock.Messages(mockFilter(""))); n != 5 || statuses[http.StatusOK] != 5 || statuses[http.StatusTooManyRequests] != 95 {
			t.Errorf("%d messages, statuses %v", n, statuses)
		}
	})
}

// better-auth PR 8067, 3253: 50 at once with the right code.
func TestFiftyVerifiesAtOnceAndOneSucceeds(t *testing.T) {
	t.Parallel()
	onBothStores(t, func(t *testing.T, cfg *config.Config) {
		a, _ := startApp(t, cfg)
		id := sendTo(a, "+8613800138000").text("sms_id")
		code := codeOf(t, a, id)
		outcomes := map[string]int{}
		for _, got := range inParallel(50, func(int) answer { return verify(a, id, code) }) {
			outcomes[fmt.Sprint(got.status, got.text("code"))]++
		}
		if outcomes["200"] != 1 || outcomes["410code_used"] != 49 {
			t.Errorf("outcomes %v", outcomes)
		}
	})
}

func policyFile(t *testing.T, limits string) string {
	t.Helper()
	return writeFile(t, "policy.yaml", limits+"\nscenes:\n  login: {templates: {en: \"{{.Code}} is your code.\"}}\n")
}
