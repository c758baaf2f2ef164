package throttle_test

import (
	"errors"
	"sync"
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

var secret = []byte("an index secret of thirty-two b.")

// world is a Limiter over a memstore whose clock stands still until it is moved.
type world struct {
	*throttle.Limiter
	clock *memstore.Clock
	store *memstore.Counters
}

func newWorld(t testing.TB) world {
	t.Helper()
	start := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	clock := memstore.NewClock(func() time.Time { return start })
	store := memstore.NewCounters(memstore.Options{Clock: clock})
	l, err := throttle.New(throttle.Options{Store: store, IndexSecret: secret})
	if err != nil {
		t.Fatal(err)
	}
	return world{l, clock, store}
}

func compile(t testing.TB, rules []throttle.Rule, scenes ...string) *throttle.RuleSet {
	t.Helper()
	s, err := throttle.Compile(rules, scenes)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSmoke(t *testing.T) {
	w := newWorld(t)
	rules := compile(t, []throttle.Rule{
		{Name: "phone-hour", By: []throttle.Kind{throttle.Phone}, Limit: 2, Window: time.Hour},
		{Name: "cooldown", By: []throttle.Kind{throttle.Phone, throttle.Scene}, Scene: "login", Limit: 1, Window: time.Minute},
		{Name: "total", Limit: 1000, Window: time.Hour},
		{Name: "ip", By: []throttle.Kind{throttle.IP}, Limit: 1000, Window: time.Hour},
	}, "login", "register")
	request := throttle.Request{Rules: rules, Scene: "login", Subjects: []throttle.Subject{
		{Kind: throttle.Phone, ID: "+8613800138000"}, {Kind: throttle.IP, ID: "192.0.2.1"}, {Kind: throttle.IPNet, ID: "192.0.2.0/24"},
	}}
	res, err := w.Reserve(t.Context(), request)
	if err != nil {
		t.Fatal(err)
	}
	if res.Wait() != time.Minute {
		t.Errorf("wait %s", res.Wait())
	}
	var denied *throttle.Denied
	if _, err := w.Reserve(t.Context(), request); !errors.As(err, &denied) || denied.Rule != "login/cooldown" || denied.RetryAfter != time.Minute {
		t.Errorf("got %v", err)
	}
	if err := res.Refund(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Reserve(t.Context(), request); err != nil {
		t.Error(err)
	}
	w.clock.Advance(time.Minute)
	if res, err := w.Reserve(t.Context(), request); err != nil || res.Wait() != time.Hour-time.Minute {
		t.Error(err, res.Wait())
	}
}

// used returns what Inspect says, by rule.
func used(t testing.TB, w world, r throttle.Request) map[string]int64 {
	t.Helper()
	usages, err := w.Inspect(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]int64{}
	for _, u := range usages {
		all[u.Rule] = u.Used
	}
	return all
}

// together calls do n times at once.
func together(n int, do func(i int)) {
	var wg sync.WaitGroup
	start := make(chan struct{})
	for i := range n {
		wg.Go(func() {
			<-start
			do(i)
		})
	}
	close(start)
	wg.Wait()
}
