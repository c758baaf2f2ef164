package throttle_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/throttle"
)

// trips is a store that counts what is taken of it.
type trips struct {
	throttle.Store
	takes    atomic.Int64
	answered func() // called after each Take, before its answer is heard; nil: nothing
}

func (s *trips) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	s.takes.Add(1)
	taken, err := s.Store.Take(ctx, t)
	if s.answered != nil {
		s.answered()
	}
	return taken, err
}

// denyWorld is a world with a deny cache.
type denyWorld struct {
	world
	trips    *trips
	registry *prometheus.Registry
	numbers  int // that were attacked
}

func newDenyWorld(t testing.TB) *denyWorld {
	t.Helper()
	w := &denyWorld{world: newWorld(t), registry: prometheus.NewPedanticRegistry()}
	w.trips = &trips{Store: w.store}
	var err error
	w.Limiter, err = throttle.New(throttle.Options{
		Store: w.trips, IndexSecret: secret, DenyClock: w.clock.Now, Registerer: w.registry,
	})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// asks checks how often the store is asked while do runs.
func (w *denyWorld) asks(t testing.TB, want int64, do func()) {
	t.Helper()
	before := w.trips.takes.Load()
	do()
	if got := w.trips.takes.Load() - before; got != want {
		t.Errorf("the store was asked %d times, want %d", got, want)
	}
}

// cooldown is a request that is allowed once a minute.
func cooldown(t testing.TB, client string) throttle.Request {
	return throttle.Request{Rules: compile(t, typical(), "login", "register"), Scene: "login", Subjects: subjectsOf(victim, client)}
}

func prepared(t testing.TB, w *denyWorld, r throttle.Request) *throttle.Prepared {
	t.Helper()
	p, err := w.Prepare(r)
	if err != nil {
		t.Fatal(err)
	}
	return p
}
