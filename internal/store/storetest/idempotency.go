package storetest

import (
	"errors"
	"testing"
	"time"

	"smsd/internal/idempotency"
)

// Idempotency puts an implementation of [idempotency.Store] through every line of its contract. open returns an empty
// one; it is closed by t.Cleanup. Each test opens its own, and they run in parallel.
func Idempotency(t *testing.T, open func(t *testing.T) idempotency.Store) {
	t.Helper()
	for _, test := range idempotencyTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, &idempotencyBench{Store: open(t), t: t})
		})
	}
}

type idempotencyTest struct {
	name string
	run  func(*testing.T, *idempotencyBench)
}

// idempotencyBench is the store under test with what every test does to it.
type idempotencyBench struct {
	idempotency.Store
	t *testing.T
}

// entry is one that runs, from instant n on.
func entry(n int) idempotency.Entry {
	b := byte(n)
	return idempotency.Entry{ID: entryID(n), Content: [16]byte{0: b, 1: 0, 2: '\'', 15: 0xff}, SMSID: smsID(n), StartedAt: at(n), ExpiresAt: at(n + 1000)}
}

func entryID(n int) idempotency.ID { return idempotency.ID{0: byte(n), 1: 0, 2: '\'', 15: 0xff} }

func (b *idempotencyBench) begin(e idempotency.Entry, now time.Time) {
	b.t.Helper()
	b.expect(b.Begin(b.t.Context(), e, now), nil)
}

// found fails the test unless the entry is there as wanted.
func (b *idempotencyBench) found(now time.Time, want idempotency.Entry) {
	b.t.Helper()
	got, err := b.Find(b.t.Context(), want.ID, now)
	b.expect(err, nil)
	equal(b.t, "the entry", got, want)
}

func (b *idempotencyBench) gone(n int, now time.Time) {
	b.t.Helper()
	_, err := b.Find(b.t.Context(), entryID(n), now)
	b.expect(err, idempotency.ErrNotFound)
}

func (b *idempotencyBench) expect(err, wanted error) {
	b.t.Helper()
	if !errors.Is(err, wanted) {
		b.t.Errorf("got %v, want %v", err, wanted)
	}
}
