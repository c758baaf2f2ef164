package proof_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/proof"
	"smsd/internal/proof/prooftest"
)

// refused fails unless the token is refused for that, as the metrics call it, and changed nothing.
func (r *rig) refused(token, outcome string) {
	r.t.Helper()
	before := r.counted(outcome)
	if err := r.consume(token); err == nil || r.counted(outcome) != before+1 {
		r.t.Errorf("want %s, got %v", outcome, err)
	}
}

func (r *rig) counted(outcome string) float64 {
	r.t.Helper()
	return r.counter("smsd_tokens_consumed_total", outcome)
}

// counter reads a metric, of the label's value if it has one.
func (r *rig) counter(name string, outcome ...string) float64 {
	r.t.Helper()
	families, err := r.registry.Gather()
	if err != nil {
		r.t.Fatal(err)
	}
	for _, family := range families {
		for _, m := range family.GetMetric() {
			if family.GetName() == name && (len(outcome) == 0 || m.GetLabel()[0].GetValue() == outcome[0]) {
				return m.GetCounter().GetValue()
			}
		}
	}
	r.t.Fatalf("no metric %s %q", name, outcome)
	return 0
}

func TestConsume(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{}, 1)
	r.clock.Advance(900 * time.Millisecond)
	p, err := r.Consume(t.Context(), r.sign(login()), proof.Want{App: "default", Audience: "default", Scene: "login", Nonce: "n-0S6"})
	if err != nil || p.Verification != login() || !p.VerifiedAt.Equal(start) || p.VerifiedAt.Location() != time.UTC || p.JTI == "" {
		t.Errorf("%v, %+v", err, p)
	}
}

// What a failover of Redis may replay: two tokens of one verification are one, whichever secret signed them.
func TestOneVerificationIsConsumedOnce(t *testing.T) {
	t.Parallel()
	store := &prooftest.Consumed{}
	one := newRig(t, proof.Options{Consumed: store}, 1, 2)
	other := newRig(t, proof.Options{Consumed: store}, 2, 1)
	first := one.sign(login())
	one.clock.Advance(time.Minute)
	second, third := one.sign(login()), other.sign(login())
	if err := one.consume(second); err != nil {
		t.Fatal(err)
	}
	for _, r := range []*rig{one, other} {
		for _, token := range []string{first, second, third} {
			r.refused(token, "repeated")
		}
	}
}

func TestFiftyAtOnce(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{}, 1)
	var (
		work sync.WaitGroup
		won  atomic.Int32
	)
	for range 50 {
		token := r.sign(login())
		work.Go(func() {
			switch _, err := r.Consume(t.Context(), token, anything); {
			case err == nil:
				won.Add(1)
			case !errors.Is(err, proof.ErrConsumed):
				t.Error(err)
			}
		})
	}
	work.Wait()
	if won.Load() != 1 {
		t.Errorf("%d succeeded, want 1", won.Load())
	}
}

// The store is asked with a deadline, and told to remember for longer than a second token can come.
func TestStoreIsAskedForLongEnough(t *testing.T) {
	t.Parallel()
	store := &watched{Consumed: &prooftest.Consumed{}}
	r := newRig(t, proof.Options{Consumed: store, TTL: time.Minute}, 1)
	ended, cancel := context.WithCancel(t.Context())
	cancel() // who hangs up changes nothing
	if _, err := r.Consume(ended, r.sign(login()), anything); err != nil {
		t.Fatal(err)
	}
	const longestCode = 24 * time.Hour
	if want := start.Add(longestCode + proof.MaxTTL); store.until.Before(want) || !store.bound {
		t.Errorf("remembered until %s, want %s or later; bounded: %t", store.until, want, store.bound)
	}
}

func TestStoreThatFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fails       error
		outcome     string
		unavailable bool
	}{
		{fmt.Errorf("disk: %w", context.DeadlineExceeded), "unavailable", true},
		{fmt.Errorf("away: %w", proof.ErrUnavailable), "unavailable", true},
		{errors.New("no such table"), "failed", false},
	} {
		r := newRig(t, proof.Options{Consumed: &watched{fails: c.fails}}, 1)
		token := r.sign(login())
		r.refused(token, c.outcome)
		if err := r.consume(token); !errors.Is(err, c.fails) || errors.Is(err, proof.ErrUnavailable) != c.unavailable {
			t.Errorf("%v: got %v", c.fails, err)
		}
	}
}

func TestExpiry(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{TTL: time.Minute}, 1)
	token := r.sign(login())
	r.clock.Advance(time.Minute + 5*time.Second)
	r.refused(token, "expired")
	r.clock.Advance(-1)
	if err := r.consume(token); err != nil {
		t.Errorf("within the leeway: %v", err)
	}
}
