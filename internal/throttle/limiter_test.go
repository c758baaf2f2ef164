package throttle_test

import (
	"sync"
	"testing"
	"time"

	"smsd/internal/address"
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

// Subjects of a phone at an address, as a sender fills them in.
func subjectsOf(phone, client string) []throttle.Subject {
	addr, err := address.Parse(client)
	if err != nil {
		panic(err)
	}
	return []throttle.Subject{
		{Kind: throttle.Phone, ID: phone}, {Kind: throttle.IP, ID: addr.Host()}, {Kind: throttle.IPNet, ID: addr.Network()},
	}
}

const (
	victim = "+8613800138000"
	nobody = "+8613900139000"
)

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
