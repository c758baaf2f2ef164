package app

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"smsd/internal/testserver"
)

// three are instances on one Redis, whose policy has one send an hour for each address, and the longest block: what
// an instance remembers by itself it remembers for longer than a test waits.
func three(t *testing.T, url string) (all []*service) {
	t.Helper()
	for range 3 {
		all = append(all, start(t, oneAnAddress(1), onRedis(url)))
	}
	return all
}

func oneAnAddress(limit int) string {
	return rules(fmt.Sprintf("{name: address, by: [ip], limit: %d, window: 1h}, {name: phone, by: [phone], limit: 50, window: 1h}", limit), "local_block: 5m")
}

// block uses up what is left of the address, and asks on until the instance refuses by itself.
func (s *service) block() {
	s.t.Helper()
	const blocked = `smsd_throttle_local_refusals_total{event="send",layer="local-block"}`
	before, asked := s.counted(blocked), 0
	until(s.t, "blocked", func() bool {
		asked++
		s.send(fmt.Sprintf("+86138%08d", asked))
		return s.counted(blocked) > before
	})
	s.wants(s.send(alice), "429 rate_limited")
}

// envoy#1077, #1230: what is reset through one instance, the next call finds on every one, with messages and without.
func TestCasesAResetReachesEveryInstance(t *testing.T) {
	t.Parallel()
	for name, server := range map[string]func(t *testing.T) *testserver.RedisServer{
		"by a message": func(t *testing.T) *testserver.RedisServer { return testserver.Redis(t) },
		"by the number alone": func(t *testing.T) *testserver.RedisServer {
			return testserver.Redis(t, testserver.User("smsd", "hunter2", "~* &* +@all -subscribe"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := three(t, server(t).URL())
			for i, s := range all {
				for _, other := range all {
					other.block()
				}
				reset := time.Now()
				through := all[(i+1)%len(all)]
				if a := through.do(http.MethodDelete, through.admin+"/mock/limits?ip="+home, nil); a.status != http.StatusNoContent {
					t.Fatal(a)
				}
				until(t, "allowed again", func() bool { return s.send(alice).status == http.StatusOK })
				t.Logf("instance %d allows %s after the reset", i, time.Since(reset))
			}
		})
	}
}

// envoy#1077, #1230, go-redisstore#10: the limit is raised in the file, and nobody reads it again by hand: every instance follows, whoever it has
// blocked.
func TestCasesARaisedLimitReachesEveryInstance(t *testing.T) {
	t.Parallel()
	all := three(t, testserver.Redis(t).URL())
	for _, s := range all {
		s.block()
	}
	raised := time.Now()
	for _, s := range all {
		write(t, s.policy, oneAnAddress(4))
	}
	for i, s := range all {
		until(t, "allowed again", func() bool { return s.send(alice).status == http.StatusOK })
		t.Logf("instance %d allows %s after the change", i, time.Since(raised))
	}
	for _, s := range all { // one and three of four are used up
		s.wants(s.send(bob), "429 rate_limited")
	}
}
