package idempotency

import (
	"context"
	"testing"
	"time"

	"smsd/internal/sweep"
)

func TestSweep(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	for i := range 2*sweep.Chunk + 10 {
		id := ID{byte(i), byte(i >> 8), 1}
		r.store.byID[id] = Entry{ID: id, ExpiresAt: start}
	}
	live := ID{2: 2}
	r.store.byID[live] = Entry{ID: live, ExpiresAt: start.Add(time.Millisecond)}
	r.ledger.sweeper().Round(context.Background())
	if all := r.store.all(); len(all) != 1 || all[0].ID != live {
		t.Errorf("%d entries are left, want the live one", len(all))
	}
	if n := r.store.count("purge"); n != 3 {
		t.Errorf("%d chunks, want 3", n)
	}
}

func TestSweepThatFails(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.store.fails(r.store.before, "purge", errBoom)
	r.ledger.sweeper().Round(context.Background())
	if n := r.store.count("purge"); n != 1 || r.outcomes()["purge"] != 1 {
		t.Errorf("%d tries, counted as %v", n, r.outcomes())
	}
}

func TestSweepEnds(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.ledger.Sweep(ctx); err != nil {
		t.Error(err)
	}
}
