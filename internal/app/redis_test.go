package app

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"smsd/internal/config"
	"smsd/internal/secret"
	"smsd/internal/testserver"
)

// usualBudget is that of somebody who sets none, for a Redis that does not answer.
const usualBudget = 400 * time.Millisecond

// cron-job.org#446: an instance whose Redis is away listens, is not ready, sends nothing and calls
// nothing verified; it recovers by itself.
func TestARedisThatIsAwayAtTheStart(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	server.Kill()
	s := begin(t, "", onRedis(server.URL()))
	if ready := s.get("/readyz"); ready.status != http.StatusServiceUnavailable {
		t.Errorf("ready: %s", ready)
	}
	if alive := s.get("/livez"); alive.status != http.StatusOK {
		t.Errorf("alive: %s", alive)
	}
	s.wants(s.send(alice), "503 unavailable")
	s.wants(s.verify(noSuchID, "123456"), "503 unavailable")
	server.Restart()
	until(t, "ready", func() bool { return s.get("/readyz").status == http.StatusOK })
	s.wants(s.send(alice), "200")
	s.countMessages(1)
}

// A store that is lost later makes the instance degraded, in the body and in a metric, and not unready.
func TestARedisThatIsLostMakesDegradedNotUnready(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	s := start(t, "", onRedis(server.URL()), within(usualBudget))
	server.Kill()
	until(t, "degraded", func() bool { return s.wants(s.get("/readyz"), "200").text("status") == "degraded" })
	until(t, "told to be down", func() bool { return strings.Contains(s.metrics(), "\nsmsd_store_up 0\n") })
	server.Restart()
	until(t, "no longer degraded", func() bool { return s.get("/readyz").text("status") == "ok" })
	until(t, "told to be up", func() bool {
		return strings.Contains(s.metrics(), "\nsmsd_store_up 1\n") && strings.Contains(s.log.String(), "the stores are back")
	})
}

func TestAnotherIndexSecretDoesNotStart(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	first := start(t, "", ofDev, onRedis(server.URL()))
	_ = first.app.Stop(t.Context())
	second := assembled(t, "", ofDev, onRedis(server.URL())) // its data_dir is another one, and so is its secret
	err := second.app.Run(t.Context(), nil)
	if err == nil || !strings.Contains(err.Error(), "index_secret") || !strings.Contains(err.Error(), "redis.url") {
		t.Errorf("it ran: %v", err)
	}
}

// The same where Redis comes later: what cannot pass ends the instance.
func TestAnotherIndexSecretEndsAnInstanceThatWaitedForRedis(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t, testserver.Persistent())
	first := start(t, "", ofDev, onRedis(server.URL()))
	_ = first.app.Stop(t.Context())
	server.Kill()
	second := assembled(t, "", ofDev, onRedis(server.URL()))
	ended := second.run(t, nil)
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
	s := start(t, "", onRedis(codes.URL()), func(c *config.Config) { c.Redis.CountersURL = secret.New(counters.URL()) })
	id, code := s.sent(alice)
	s.wants(s.verify(id, code), "200")
	if n, m := len(stored(t, raw(t, codes), indexLife)), len(stored(t, raw(t, counters), indexLife)); n != 2 || m < 5 {
		t.Errorf("%d keys with the codes (want the code and the check value), %d with the counters", n, m)
	}
	counters.Kill()
	s.wants(s.send(bob), "503 unavailable")
}
