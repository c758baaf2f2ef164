package idempotency

import (
	"context"
	"testing"
	"time"
)

// Whoever dies, and wherever, nothing is done twice.
func TestProcessThatDies(t *testing.T) {
	t.Parallel()
	die := func(*Turn) ([]byte, error) { panic(errBoom) }
	r := newRig(t)
	r.dies(func() { _, _ = r.do(r.request("k", "alice"), die) })
	r.want(r.request("k", "alice"), r.send("one"), "one", false, nil) // nothing had begun

	begun := func(turn *Turn) ([]byte, error) {
		_ = turn.Begin(context.Background(), "id")
		panic(errBoom)
	}
	r.dies(func() { _, _ = r.do(r.request("k2", "alice"), begun) })
	q := r.request("k2", "alice")
	r.want(q, r.never, "", false, ErrInProgress)
	*r.now = start.Add(15*time.Second - time.Millisecond)
	r.want(q, r.never, "", false, ErrInProgress)
	*r.now = start.Add(15 * time.Second)
	r.want(q, r.never, "", false, ErrOutcomeUnknown)
	r.want(r.request("k2", "bob"), r.never, "", false, ErrMismatch)
	q.Rebuild = func(_ context.Context, e Entry) ([]byte, error) { return []byte("rebuilt " + e.SMSID), nil }
	r.want(q, r.never, "rebuilt id", true, nil)
	q.Rebuild = func(context.Context, Entry) ([]byte, error) { t.Error("rebuilt twice"); return nil, errBoom }
	r.want(q, r.never, "rebuilt id", true, nil)
	*r.now = start.Add(24*time.Hour - time.Millisecond)
	r.want(q, r.never, "rebuilt id", true, nil)
	*r.now = start.Add(24 * time.Hour)
	r.want(q, r.send("anew"), "anew", false, nil)
}

// Where nothing was done under an entry, it is done now.
func TestNothingDone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.dies(func() {
		_, _ = r.do(r.request("k", "alice"), func(turn *Turn) ([]byte, error) {
			_ = turn.Begin(context.Background(), "id")
			panic(errBoom)
		})
	})
	*r.now = start.Add(time.Minute)
	q := r.request("k", "alice")
	q.Rebuild = func(context.Context, Entry) ([]byte, error) { return nil, ErrNothingDone }
	r.want(q, r.send("one"), "one", false, nil)
	r.want(q, r.never, "one", true, nil)
}
