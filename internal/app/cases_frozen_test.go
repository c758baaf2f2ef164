package app

import (
	"fmt"
	"maps"
	"runtime"
	"testing"
	"time"

	"smsd/internal/testserver"
)

// redis_rate#60, envoy#1188: Redis is frozen under a load that does not wait for answers: 1,000 requests a second for 5
// seconds, of a release. Every one is answered before it thaws, in time, that nobody can tell; goroutines and memory
// are bounded; none of it happens after all; and the service goes on by itself, with the limits as they stood.
// Not parallel: it counts goroutines.
func TestCasesFrozenUnderOpenLoad(t *testing.T) {
	rate, during := fullOr(1000, 150), fullOr(5*time.Second, 2*time.Second)
	server := testserver.Redis(t)
	s := start(t, rules("{name: three, by: [phone], limit: 3, window: 1h}"), onRedis(server.URL()), within(usualBudget))
	c := raw(t, server)
	s.warm(s.sentSoon(alice))
	sent := openLoop(rate, time.Second, func(i int) answer { return s.send(numbered(1, i)) }, nil)
	logTimes(t, "before", sent)
	id, code := s.sentSoon(bob)
	s.http.CloseIdleConnections()
	before, atRest, peak, messages := stored(t, c, indexLife), settled(), usage{}, s.sends()

	server.Freeze()
	frozen := openLoop(rate, during, func(i int) answer {
		if i%5 == 0 {
			return s.verify(id, code)
		}
		return s.send(numbered(2, i))
	}, peak.note)
	logTimes(t, "frozen", frozen)
	longest := s.unavailable(frozen)
	server.Thaw()

	t.Logf("goroutines: %d before, %d at the most; heap: %d KiB before, %d at the most", atRest.goroutines, peak.goroutines, atRest.heap>>10, peak.heap>>10)
	if full() && longest > answerWithin {
		t.Errorf("the longest answer took %s, want %s at the most", longest, answerWithin)
	}
	for range 3 { // what has queued is done before the last of them
		c.Ping(t.Context())
	}
	if after := stored(t, c, indexLife); !maps.Equal(before, after) {
		t.Error("something happened late")
	}
	if n := s.sends(); n != messages {
		t.Errorf("%d messages, want %d", n, messages)
	}
	s.recovers(atRest)
	s.verifiedSoon(id, code) // none of its verifies was the one
	for i := 1; i < len(sent) && i < len(frozen); i += rate / 20 {
		if sent[i].status == 200 {
			s.admitsJust(2, numbered(1, i))
		}
		if i%5 != 0 {
			s.admitsJust(3, numbered(2, i))
		}
	}
}

// numbered is the i-th of a group of numbers.
func numbered(group, i int) string { return fmt.Sprintf("+8613%d%08d", group, i) }

// sends is how many messages the gateway has taken (the inbox keeps the newest alone).
func (s *service) sends() int {
	return s.counted(`smsd_sends_total{action="send",outcome="accepted",scene="login"}`)
}

// recovers waits until the service works again, and until it needs no more than it did at rest.
func (s *service) recovers(atRest usage) {
	s.t.Helper()
	began := time.Now()
	until(s.t, "it recovers", func() bool { return s.send(numbered(3, 0)).status == 200 })
	s.t.Logf("a send passes %s after the thaw", time.Since(began).Round(time.Millisecond))
	s.http.CloseIdleConnections()
	until(s.t, "nothing is left of the load", func() bool { return runtime.NumGoroutine() <= atRest.goroutines+20 })
	if grown := int64(heap()) - int64(atRest.heap); grown > 16<<20 {
		s.t.Errorf("the heap has grown by %d KiB", grown>>10)
	}
}

// verifiedSoon submits the right code until it is taken: on a machine that is busy the answer may come too late, and
// then the code is used.
func (s *service) verifiedSoon(id, code string) {
	s.t.Helper()
	late := false
	until(s.t, "the right code is taken", func() bool {
		a := s.verify(id, code)
		late = late || a.status == 503
		return a.status == 200 || late && a.code() == "code_used"
	})
}

// admitsJust asks for a number that has so many sends left. On a machine that is busy some answers come too
// late, and those may have been counted.
func (s *service) admitsJust(left int, phone string) {
	s.t.Helper()
	got := together(8, func(int) answer { return s.send(phone) })
	if passed, refused := got["200"], got["429 rate_limited"]; passed > left || refused > 8-left || passed+refused+got["503 unavailable"] != 8 {
		s.t.Errorf("%v of a number with %d left", got, left)
	}
}
