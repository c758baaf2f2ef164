package app

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/secret"
	"smsd/internal/store/memstore"
	"smsd/internal/store/redisstore"
	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// A store in the process that is full answers new subjects 503; who is in it keeps the
// count and the code; and time makes room.
func TestCasesFullMemory(t *testing.T) {
	t.Parallel()
	const room = 40
	clock := memstore.NewClock(storetest.NewManualClock().Now)
	counters := memstore.NewCounters(memstore.Options{MaxKeys: room, Clock: clock})
	s := assemble(t, parts{
		counters: counters, codes: memstore.NewCodes(memstore.Options{Clock: clock}),
		policy: rules("{name: hour, by: [phone], limit: 2, window: 1h}"),
	})
	fresh := func(i int) answer { return s.send(fmt.Sprintf("+86138%08d", i)) }
	id, code := s.sent(alice)
	tally := map[string]int{}
	for i := range 3 * room {
		tally[s.wantsOneOf(fresh(i), "200", "503 unavailable").outcome()]++
		if n := counters.Len(); n > room {
			t.Fatalf("%d keys", n)
		}
	}
	if tally["200"] != room-1 {
		t.Errorf("answers %v, want room for %d", tally, room-1)
	}
	s.countMessages(room)
	s.sent(alice)
	s.wants(s.send(alice), "429 rate_limited")
	s.wants(s.verify(id, code), "200")
	clock.Advance(time.Hour)
	for i := range room {
		s.wants(fresh(1000+i), "200")
	}
}

// wantsOneOf checks that an answer is one of those.
func (c caller) wantsOneOf(a answer, outcomes ...string) answer {
	c.t.Helper()
	for _, o := range outcomes {
		if a.outcome() == o {
			return c.wants(a, o)
		}
	}
	c.t.Fatalf("%s, want one of %q", a, outcomes)
	return a
}

// A million fresh numbers at a store that holds two thousand. Not parallel: it measures the heap.
func TestCasesMillionFreshNumbers(t *testing.T) {
	const room, numbers = 2000, 1_000_000
	counters := memstore.NewCounters(memstore.Options{MaxKeys: room, Clock: memstore.NewClock(storetest.NewManualClock().Now)})
	plan := &throttle.Plan{Mark: 1, TTL: time.Hour, Cells: []throttle.Cell{{Algorithm: throttle.Log, Limit: 2, Window: time.Hour, Charge: true}}}
	plan.Retain[throttle.Send], plan.Keep[throttle.Send] = time.Hour, throttle.Keep{All: 2}
	groups, tag := []throttle.Group{{Plan: plan}}, []byte("0000000000000000000000")
	take := func(n int) bool {
		for at, rest := len(tag)-1, n; at > len(tag)-8; at, rest = at-1, rest/10 { // its seven digits
			tag[at] = byte('0' + rest%10)
		}
		groups[0].Key = throttle.Key{Tag: throttle.Tag(tag), Name: "p"}
		taken, err := counters.Take(t.Context(), throttle.Take{ID: uint32(n), Groups: groups})
		return err == nil && taken.Allowed
	}
	const honest = numbers // the first, before all others
	if !take(honest) {
		t.Fatal("an empty store refuses")
	}
	before, passed := heap(), 1
	for n := range numbers {
		if take(n) {
			passed++
		}
	}
	grown := int64(heap()) - int64(before)
	if passed != room || counters.Len() > room {
		t.Errorf("%d were let in, %d keys are there, want %d", passed, counters.Len(), room)
	}
	if grown > room*1024 {
		t.Errorf("the heap grew by %d bytes, want at most 1 KiB for each of %d keys", grown, room)
	}
	if second, third := take(honest), take(honest); !second || third {
		t.Errorf("of two, the honest one's second passes: %t, and the third: %t", second, third)
	}
}

func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// symfony#44354, GitHub's limiter write-up: two instances whose clocks are ten seconds apart decide alike, and tell
// the same wait and the same end; the store's clock alone counts.
func TestCasesClocksApart(t *testing.T) {
	t.Parallel()
	clock, inbox := storetest.NewManualClock(), mock.New(nil)
	client, err := redisstore.Open(t.Context(), redisstore.Options{
		URL: secret.New(testserver.Redis(t).URL()), Budget: patience, Now: clock.Now,
	})
	ok(t, err)
	t.Cleanup(func() { _ = client.Close() })
	instance := func(ahead time.Duration) caller {
		return assemble(t, parts{
			counters: client.Counters(), codes: client.Codes(), inbox: inbox,
			policy: rules("{name: three, by: [phone], limit: 3, window: 1h}, {name: big, by: [ip_net], limit: 100, window: 1h}"),
			now:    func() time.Time { return clock.Now().Add(ahead) }, // else a code's end would say how long its gateway took
		})
	}
	behind, ahead := instance(-5*time.Second), instance(5*time.Second)
	first, second := behind.wants(behind.send(alice), "200"), ahead.wants(ahead.send(alice), "200")
	if a, b := first.text("expires_at"), second.text("expires_at"); a != b {
		t.Errorf("ends %s and %s", a, b)
	}
	id, code := behind.sent(alice)
	for _, elapsed := range []time.Duration{0, 1234 * time.Millisecond, time.Minute} {
		clock.Advance(elapsed)
		a, b := behind.wants(behind.send(alice), "429 rate_limited"), ahead.wants(ahead.send(alice), "429 rate_limited")
		if a.number("retry_after") != b.number("retry_after") {
			t.Errorf("waits %d and %d", a.number("retry_after"), b.number("retry_after"))
		}
	}
	ahead.wrong(ahead.verify(id, otherCode(code)), 4)
	ahead.wants(ahead.verify(id, code), "200")
	behind.wants(behind.verify(id, code), "410 code_used")

	idB, codeB := behind.sent(bob)
	idA, codeA := ahead.sent(bob)
	clock.Advance(5*time.Minute - time.Millisecond)
	ahead.wrong(ahead.verify(idB, otherCode(codeB)), 4)
	behind.wrong(behind.verify(idA, otherCode(codeA)), 4)
	clock.Advance(time.Millisecond)
	ahead.wants(ahead.verify(idB, codeB), "410 code_expired")
	behind.wants(behind.verify(idA, codeA), "410 code_expired")
}

// animir#254: a refund that comes when the key has gone makes none, and admits nobody more.
func TestCasesRefundWithoutKey(t *testing.T) {
	t.Parallel()
	server := testserver.Redis(t)
	c := raw(t, server)
	client, err := redisstore.Open(t.Context(), redisstore.Options{URL: secret.New(server.URL()), Budget: patience})
	ok(t, err)
	t.Cleanup(func() { _ = client.Close() })
	set, err := throttle.Compile([]throttle.Rule{
		{Name: "log", By: []throttle.Kind{throttle.Phone}, Limit: 3, Window: time.Hour},
		{Name: "counter", By: []throttle.Kind{throttle.Phone}, Limit: 100, Window: time.Hour},
	}, []string{"login"})
	ok(t, err)
	limiter, err := throttle.New(throttle.Options{Store: client.Counters(), IndexSecret: make([]byte, 32)})
	ok(t, err)
	request := throttle.Request{Rules: set, Scene: "login", Subjects: []throttle.Subject{{Kind: throttle.Phone, ID: alice}}}
	for range 5 {
		reservation, err := limiter.Reserve(t.Context(), request)
		ok(t, err)
		c.FlushAll(t.Context())
		ok(t, reservation.Refund(t.Context()))
		if n := c.DBSize(t.Context()).Val(); n != 0 {
			t.Fatalf("%d keys after a refund of nothing", n)
		}
	}
	passed := 0
	for range 10 {
		if _, err := limiter.Reserve(t.Context(), request); err == nil {
			passed++
		}
	}
	if passed != 3 {
		t.Errorf("%d of a burst passed, want 3", passed)
	}
}
