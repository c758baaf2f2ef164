package app

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/testserver"
)

// While the policy changes all the time, every answer goes by one version: of the two limits that it
// tells, both are the old ones or both the new ones, and what was counted stays counted.
func TestCasesPolicyChangesUnderLoad(t *testing.T) {
	t.Parallel()
	version := func(limit int) string {
		return rules(fmt.Sprintf("{name: all, by: [phone], limit: %d, window: 1h}, {name: own, by: [phone, scene], limit: %d, window: 2h}", limit, limit))
	}
	onBothStores(t, version(601), func(s *service) {
		s.sent(alice)
		// In each of 40 changes eight sends meet the reload, and one comes after it: 361 of 601 in all.
		var seen [2]atomic.Int64
		for change := range 40 {
			var load sync.WaitGroup
			for range 4 {
				load.Go(func() {
					s.oneVersion(&seen)
					s.oneVersion(&seen)
				})
			}
			s.reload(version(601 + change%2))
			load.Wait()
			s.oneVersion(&seen)
		}
		if old, changed := seen[0].Load(), seen[1].Load(); old < 20 || changed < 20 || old+changed != 360 || len(s.inbox("")) != 361 {
			s.t.Errorf("%d and %d sends by the two versions, %d messages", old, changed, len(s.inbox("")))
		}
	})
}

var limitsTold = regexp.MustCompile(`^"all";q=(\d+);w=3600, "own";q=(\d+);w=7200$`)

// oneVersion sends, and counts the policy's version, 601 or 602.
func (s *service) oneVersion(seen *[2]atomic.Int64) {
	a := s.send(alice)
	told := limitsTold.FindStringSubmatch(a.header.Get("Ratelimit-Policy"))
	if len(told) != 3 || told[1] != told[2] {
		s.t.Errorf("%s tells the limits %s", a, a.header.Get("Ratelimit-Policy"))
		return
	}
	limit, _ := strconv.Atoi(told[1])
	seen[limit-601].Add(1)
}

// httprate#62, mettle#309: a thousand clients that hang up at any moment. Whatever was begun is finished: each message
// is charged once, and nothing is charged without one. No part of the service takes it for a failure.
func TestCasesClientsThatHangUp(t *testing.T) {
	t.Parallel()
	const clients, limit = 1000, 700
	s := start(t, rules(fmt.Sprintf("{name: ip, by: [ip], limit: %d, window: 1h}", limit)), onRedis(testserver.Redis(t).URL()))
	gate := make(chan struct{}, 32)
	var all sync.WaitGroup
	for i := range clients {
		gate <- struct{}{}
		all.Go(func() {
			s.hangUp(i)
			<-gate
		})
	}
	all.Wait()
	for i := clients; s.send(fmt.Sprintf("+86138%08d", i)).status == 200; i++ { // the rest of the address's
	}
	// Requests whose client is gone may still be under way, and can only be refused.
	until(t, "what was begun is finished", func() bool {
		return s.counted(`smsd_sends_total{action="send",outcome="accepted",scene="login"}`) == limit
	})
	if n := len(s.inbox("")); n != limit {
		t.Errorf("%d messages, %d are charged", n, limit)
	}
	for _, outcome := range []string{"internal", "unavailable", "gateway_failed", "unknown"} {
		if n := s.counted(fmt.Sprintf(`smsd_sends_total{action="send",outcome=%q,scene="login"}`, outcome)); n > 0 {
			t.Errorf("%d sends ended as %s", n, outcome)
		}
	}
}

// hangUp asks for a message to the i-th number, and is gone some time within two milliseconds.
func (s *service) hangUp(i int) {
	ctx, gone := context.WithCancel(s.t.Context())
	body := strings.NewReader(fmt.Sprintf(`{"phone":"+86138%08d","scene":"login"}`, i))
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.api+"/api/v1/sms/send", body)
	if err != nil {
		s.t.Error(err)
	}
	request.Header = s.header.Clone()
	request.Header.Set("Content-Type", "application/json")
	timer := time.AfterFunc(rand.N(2*time.Millisecond), gone)
	defer timer.Stop()
	s.roundTrip(request)
	gone()
}

// counted is the value of a metric; 0 where there is none.
func (c caller) counted(name string) int {
	c.t.Helper()
	for line := range strings.Lines(c.metrics()) {
		if value, found := strings.CutPrefix(line, name+" "); found {
			n, _ := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return int(n)
		}
	}
	return 0
}
