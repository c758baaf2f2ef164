package storetest

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"smsd/internal/proof"
)

// Consumed puts an implementation of [proof.Consumed] through every line of its contract. open returns an empty one,
// which is closed by t.Cleanup. Each test opens its own, and they run in parallel.
func Consumed(t *testing.T, open func(t *testing.T) proof.Consumed) {
	t.Helper()
	for _, test := range consumedTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(&consumedBench{t: t, store: open(t)})
		})
	}
}

var consumedTests = []struct {
	name string
	run  func(*consumedBench)
}{
	{"a token is consumed once", consumedOnce},
	{"whichever app's it was", consumedByAnother},
	{"another one is another one", consumedOthers},
	{"the longest", consumedLongest},
	{"50 at once: one succeeds", consumedAtOnce},
	{"50 others at once all succeed", consumedOthersAtOnce},
	{"too late changes nothing", consumedLate},
	{"what may be forgotten is purged, and nothing else", consumedPurged},
}

type consumedBench struct {
	t     *testing.T
	store proof.Consumed
}

const (
	jtiA = "Qm9va2tlZXBlci0xMjM0NQ"
	jtiB = "qm9va2tlZXBlci0xMjM0NQ" // of another case
)

// consumedUntil is a day from now: stores that go by a clock of their own must not have forgotten it meanwhile.
func consumedUntil() time.Time {
	return time.Now().Add(24 * time.Hour).UTC().Truncate(time.Millisecond)
}

func (b *consumedBench) consume(jti, app string, want error) {
	b.t.Helper()
	if err := b.store.Consume(b.t.Context(), jti, app, consumedUntil()); !errors.Is(err, want) {
		b.t.Fatalf("%s of %s: got %v, want %v", jti, app, err, want)
	}
}

func consumedOnce(b *consumedBench) {
	b.consume(jtiA, "default", nil)
	b.consume(jtiA, "default", proof.ErrConsumed)
	b.consume(jtiA, "default", proof.ErrConsumed)
}

func consumedByAnother(b *consumedBench) {
	b.consume(jtiA, "default", nil)
	b.consume(jtiA, "shop", proof.ErrConsumed)
}

func consumedOthers(b *consumedBench) {
	for _, jti := range []string{jtiA, jtiB, jtiA[:1], jtiA + "x", "-", "_", "%"} {
		b.consume(jti, "default", nil)
	}
}

func consumedLongest(b *consumedBench) {
	long := strings.Repeat("j", proof.MaxJTI)
	b.consume(long, strings.Repeat("a", 64), nil)
	b.consume(long[1:]+"k", strings.Repeat("é", 32), nil)
	b.consume(long, strings.Repeat("a", 64), proof.ErrConsumed)
}

func (b *consumedBench) atOnce(jti func(i int) string) map[string]int {
	return parallel(50, func(i int) error {
		return b.store.Consume(b.t.Context(), jti(i), "default", consumedUntil())
	})
}

func consumedAtOnce(b *consumedBench) {
	expect(b.t, b.atOnce(func(int) string { return jtiA }), map[string]int{outcome(nil): 1, outcome(proof.ErrConsumed): 49})
}

func consumedOthersAtOnce(b *consumedBench) {
	jti := func(i int) string { return jtiA + string(rune('A'+i%26)) + string(rune('A'+i/26)) }
	expect(b.t, b.atOnce(jti), map[string]int{outcome(nil): 50})
}

// A caller that has given up can't tell what became of its token: so nothing did.
func consumedLate(b *consumedBench) {
	ended, cancel := context.WithCancel(b.t.Context())
	cancel()
	for _, ctx := range []context.Context{ended, lateContext(b.t)} {
		if err := b.store.Consume(ctx, jtiA, "default", consumedUntil()); !errors.Is(err, proof.ErrUnavailable) {
			b.t.Fatalf("too late: %v", err)
		}
	}
	b.consume(jtiA, "default", nil)
}

func consumedPurged(b *consumedBench) {
	until := consumedUntil()
	jti := func(i int) string { return jtiA + string(rune('A'+i)) }
	for i := range 5 {
		if err := b.store.Consume(b.t.Context(), jti(i), "default", until.Add(time.Duration(i)*time.Millisecond)); err != nil {
			b.t.Fatal(err)
		}
	}
	purge := func(now time.Time, limit int, want int64) {
		b.t.Helper()
		if removed, err := b.store.Purge(b.t.Context(), now, limit); err != nil || removed != want {
			b.t.Fatalf("purge: %d removed, want %d: %v", removed, want, err)
		}
	}
	purge(until.Add(-time.Millisecond), 100, 0)
	purge(until.Add(3*time.Millisecond), 2, 2)
	purge(until.Add(3*time.Millisecond), 0, 0)
	purge(until.Add(3*time.Millisecond), 100, 2)
	purge(until.Add(3*time.Millisecond), 100, 0)
	if _, err := b.store.Purge(lateContext(b.t), until.Add(time.Hour), 100); err == nil {
		b.t.Fatal("a purge that is too late succeeds")
	}
	b.consume(jti(4), "default", proof.ErrConsumed)
	for i := range 4 {
		b.consume(jti(i), "default", nil)
	}
}
