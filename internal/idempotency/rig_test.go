package idempotency

import (
	"bytes"
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/keyring"
)

var (
	start    = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	errBoom  = errors.New("boom")
	errLimit = errors.New("refused")
)

// rig is a ledger over a store, a client's gate and a clock.
type rig struct {
	*testing.T
	store    *memory
	ledger   *Ledger
	registry *prometheus.Registry
	gate     *counted
	now      *time.Time
	executed int // how often something was done that can't be undone
}

// counted is a gate that lets through as many as it is told.
type counted struct {
	mu    sync.Mutex
	left  int
	taken int
}

func (c *counted) Ask() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left <= c.taken {
		return errLimit
	}
	return nil
}

func (c *counted) Allow() error {
	if err := c.Ask(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken++
	return nil
}

func newRig(t *testing.T) *rig {
	now := start
	r := &rig{T: t, store: newMemory(), registry: prometheus.NewRegistry(), gate: &counted{left: 1000}, now: &now}
	r.ledger = r.instance(r.store, 1)
	return r
}

// instance is a ledger of another process with the same store.
func (r *rig) instance(s Store, secrets ...byte) *Ledger {
	r.Helper()
	var all [][]byte
	for _, b := range secrets {
		all = append(all, bytes.Repeat([]byte{b}, keyring.MinSecret))
	}
	root, err := keyring.New(all)
	if err != nil {
		r.Fatal(err)
	}
	registry := r.registry
	if r.ledger != nil {
		registry = prometheus.NewRegistry()
	}
	l, err := New(Options{
		Store: s, IndexSecret: bytes.Repeat([]byte("i"), keyring.MinSecret), Secrets: root,
		Now: func() time.Time { return *r.now }, Registerer: registry,
		Budget: time.Minute,
	})
	if err != nil {
		r.Fatal(err)
	}
	l.pause = func(time.Duration) {}
	return l
}

// request asks for content under the key.
func (r *rig) request(key string, content ...string) Request {
	r.Helper()
	k, err := ParseKey([]string{key})
	if err != nil {
		r.Fatal(err)
	}
	return Request{
		App: "default", Route: "/send", Key: k, Content: content, Keep: 24 * time.Hour, Longest: 15 * time.Second, Gate: r.gate,
		Doubtful: func(err error) bool { return errors.Is(err, errLimit) },
		Rebuild:  func(context.Context, Entry) ([]byte, error) { return nil, ErrOutcomeUnknown },
	}
}

// send is a run that begins, does what can't be undone, and answers.
func (r *rig) send(answer string) func(*Turn) ([]byte, error) {
	return func(t *Turn) ([]byte, error) {
		if err := t.Begin(context.Background(), "id-of-"+answer); err != nil {
			return nil, err
		}
		r.executed++
		return []byte(answer), nil
	}
}

func (r *rig) do(q Request, run func(*Turn) ([]byte, error)) (Answer, error) {
	return r.ledger.Do(context.Background(), q, run)
}

// want fails unless the request ends so; answer "" is an error.
func (r *rig) want(q Request, run func(*Turn) ([]byte, error), answer string, replayed bool, failure error) {
	r.Helper()
	got, err := r.do(q, run)
	if string(got.Body) != answer || got.Replayed != replayed || !errors.Is(err, failure) {
		r.Errorf("answer %q (replayed %t), error %v; want %q (%t), %v", got.Body, got.Replayed, err, answer, replayed, failure)
	}
}

// never is a run that must not run.
func (r *rig) never(*Turn) ([]byte, error) {
	r.Helper()
	r.Error("executed again")
	return nil, errBoom
}

// dies is a run whose process ends: nothing after it is done.
func (r *rig) dies(run func()) {
	defer func() {
		if v := recover(); v != errBoom {
			r.Errorf("panic %v", v)
		}
	}()
	run()
}

func (r *rig) outcomes() map[string]float64 {
	families, err := r.registry.Gather()
	if err != nil {
		r.Fatal(err)
	}
	all := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if len(m.GetLabel()) > 0 && m.GetCounter().GetValue() > 0 {
				all[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
			}
		}
	}
	return all
}
