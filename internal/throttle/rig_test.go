package throttle_test

import (
	"errors"
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

// typical is rules like the built-in policy's.
func typical() []throttle.Rule {
	phone, ip, net := []throttle.Kind{throttle.Phone}, []throttle.Kind{throttle.IP}, []throttle.Kind{throttle.IPNet}
	phoneScene := []throttle.Kind{throttle.Phone, throttle.Scene}
	return []throttle.Rule{
		{Name: "phone-hour", By: phone, Limit: 5, Window: time.Hour},
		{Name: "phone-day", By: phone, Limit: 10, Window: 24 * time.Hour},
		{Name: "ip-burst", By: ip, Limit: 25, Window: 5 * time.Minute},
		{Name: "net-hour", By: net, Limit: 200, Window: time.Hour},
		{Name: "total-hour", Limit: 10_000, Window: time.Hour},
		{Name: "verify-ip", By: ip, Limit: 60, Window: time.Minute, On: throttle.Verify},
		{Name: "guesses", By: phoneScene, Limit: 10, Window: time.Hour, On: throttle.Guess},
		{Name: "cooldown", By: phoneScene, Scene: "login", Limit: 1, Window: time.Minute},
		{Name: "hour", By: phoneScene, Scene: "login", Limit: 4, Window: time.Hour},
		{Name: "hour-source", By: []throttle.Kind{throttle.Phone, throttle.Scene, throttle.IPNet}, Scene: "login", Limit: 3, Window: time.Hour},
	}
}

func (w world) allowed(t testing.TB, r throttle.Request) *throttle.Reservation {
	t.Helper()
	res, err := w.Reserve(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func (w world) refused(t testing.TB, r throttle.Request) throttle.Decision {
	t.Helper()
	res, err := w.Reserve(t.Context(), r)
	var d *throttle.Denied
	if !errors.As(err, &d) || res != nil {
		t.Fatalf("got %v, want a refusal", err)
	}
	return d.Decision
}
