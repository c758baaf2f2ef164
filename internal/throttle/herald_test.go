package throttle_test

import (
	"context"
	"sync"
	"testing"

	"smsd/internal/store/memstore"
	"smsd/internal/throttle"
)

// shared is a store that another process resets as well.
type shared struct {
	trips
	told func(...throttle.Tag)
	mu   sync.Mutex
	tags map[throttle.Tag]bool // of what was taken
}

func (s *shared) OnReset(told func(...throttle.Tag)) { s.told = told }

func (s *shared) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	s.mu.Lock()
	for _, g := range t.Groups {
		s.tags[g.Key.Tag] = true
	}
	s.mu.Unlock()
	return s.trips.Take(ctx, t)
}

// What another process resets reaches the store here too: what the deny cache remembers, and who is blocked.
func TestResetElsewhere(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	store := &shared{tags: map[throttle.Tag]bool{}}
	store.Store = memstore.NewCounters(memstore.Options{Clock: w.clock})
	w.trips = &store.trips
	var err error
	w.Limiter, err = throttle.New(throttle.Options{Store: store, IndexSecret: secret, DenyClock: w.clock.Now})
	if err != nil {
		t.Fatal(err)
	}
	rules := onePer(t, throttle.IP)
	again, blocked := attack(rules, 0), attack(rules, 1)
	w.allowed(t, again)
	var own []throttle.Tag
	for tag := range store.tags {
		own = append(own, tag)
	}
	elsewhere := func(tags ...throttle.Tag) func() {
		return func() {
			if err := store.Reset(t.Context(), own...); err != nil {
				t.Fatal(err)
			}
			store.told(tags...)
		}
	}
	for _, reset := range []func(){elsewhere(own...), elsewhere()} {
		w.asks(t, 0, func() { w.refused(t, again) })
		reset()
		w.asks(t, 1, func() { w.allowed(t, again) })
		w.hammer(t, rules, 10)
		if w.Blocked(blocked) == nil {
			t.Fatal("not blocked")
		}
		reset()
		w.asks(t, 1, func() { w.allowed(t, blocked) })
		reset()
		w.allowed(t, again)
	}
	store.told("AAAAAAAAAAAAAAAAAAAAAA") // is another's
	w.asks(t, 0, func() { w.refused(t, again) })
}

// Without a deny cache there is nothing to forget.
func TestForgetNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.Forget()
	w.Forget("AAAAAAAAAAAAAAAAAAAAAA")
}
