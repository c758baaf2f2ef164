package storetest

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"

	"smsd/internal/sms"
)

// CodesDifferential does the same random operations to a and b, both empty at first, and fails at the
// first answer in which they differ. advance moves the one clock that both read, backwards too.
// The same seed is the same history.
func CodesDifferential(t *testing.T, ops int, seed uint64, a, b sms.Codes, advance func(time.Duration)) {
	t.Helper()
	h := &codesHistory{t: t, Rand: rand.New(rand.NewPCG(seed, 0)), stores: [2]sms.Codes{a, b}, advance: advance}
	seen := map[string]int{}
	for i := range ops {
		h.moveClock()
		name, op := h.operation()
		left, right := op(a), op(b)
		if !reflect.DeepEqual(left, right) {
			t.Fatalf("seed %d, operation %d, %s:\n%+v\n%+v", seed, i, name, left, right)
		}
		seen[name+": "+left.outcome]++
	}
	t.Logf("seed %d, %d operations: %v", seed, ops, seen)
}

// codesHistory draws operations and steps of the clock. Times are tens of milliseconds, so that every
// edge of a record's life is met often.
type codesHistory struct {
	*rand.Rand
	t       *testing.T
	stores  [2]sms.Codes
	advance func(time.Duration)
}

// codesAnswer is what a caller sees of one operation.
type codesAnswer struct {
	outcome string
	record  sms.Record
	now     time.Time
}

type codesOperation func(sms.Codes) codesAnswer

const codesIDs = 6

func codesID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func (h *codesHistory) millis(below int64) time.Duration {
	return time.Duration(h.Int64N(below)) * time.Millisecond
}

func (h *codesHistory) moveClock() {
	switch n := h.IntN(30); {
	case n < 8:
		h.advance(h.millis(20))
	case n == 8:
		h.advance(h.millis(300))
	case n == 9:
		h.sweep()
		h.advance(-h.millis(40))
	}
}

// sweep deletes what is forgotten: whether that comes back when the clock steps back is a store's own
// affair, since expiry may free memory at any time.
func (h *codesHistory) sweep() {
	for n := range codesIDs {
		for _, store := range h.stores {
			if _, err := store.Get(h.t.Context(), codesID(n)); errors.Is(err, sms.ErrNotFound) {
				_ = store.Delete(h.t.Context(), codesID(n))
			}
		}
	}
}

func (h *codesHistory) operation() (string, codesOperation) {
	id := codesID(h.IntN(codesIDs))
	switch n := h.IntN(100); {
	case n < 25:
		return "put", h.put(id)
	case n < 75:
		return "verify", h.verify(id)
	case n < 85:
		return "get", h.get(id)
	case n < 97:
		return "amend", h.amend(id)
	}
	return "delete", h.remove(id)
}

func (h *codesHistory) put(id string) codesOperation {
	n := sms.NewRecord{
		App: h.app(), Scene: h.scene(), Code: h.code(), Phone: h.phone(), Length: h.length(),
		Attempts: 1 + h.IntN(4), Sealed: h.sealed(),
		TTL: time.Millisecond + h.millis(250), Keep: time.Millisecond + h.millis(250),
	}
	return func(c sms.Codes) codesAnswer {
		now, err := c.Put(h.t.Context(), id, n)
		return codesAnswer{outcome: outcome(err), now: now}
	}
}

func (h *codesHistory) verify(id string) codesOperation {
	g := sms.Guess{App: h.app(), Length: h.length()}
	for range h.IntN(4) {
		g.Codes = append(g.Codes, h.code())
	}
	if h.IntN(3) == 0 {
		g.Scene = h.scene()
	}
	if h.IntN(3) == 0 {
		g.Phone = h.phone()
	}
	return func(c sms.Codes) codesAnswer {
		r, err := c.Verify(h.t.Context(), id, g)
		var wrong *sms.IncorrectError
		if err != nil && !errors.As(err, &wrong) {
			r = sms.Record{} // the contract leaves it open
		}
		return codesAnswer{outcome: outcome(err), record: r}
	}
}

func (h *codesHistory) get(id string) codesOperation {
	return func(c sms.Codes) codesAnswer {
		r, err := c.Get(h.t.Context(), id)
		return codesAnswer{outcome: outcome(err), record: r}
	}
}

func (h *codesHistory) amend(id string) codesOperation {
	var a sms.Amendment
	if h.IntN(2) == 0 {
		a.ExpiresIn = time.Millisecond + h.millis(300)
	}
	if h.IntN(2) == 0 {
		a.Code, a.Sealed = h.code(), h.sealed()
	}
	return func(c sms.Codes) codesAnswer {
		return codesAnswer{outcome: outcome(c.Amend(h.t.Context(), id, a))}
	}
}

func (h *codesHistory) remove(id string) codesOperation {
	return func(c sms.Codes) codesAnswer {
		return codesAnswer{outcome: outcome(c.Delete(h.t.Context(), id))}
	}
}

// The values are few, so that they meet; the zero Hash is among them.

func (h *codesHistory) app() string {
	return []string{"a{b}", "default"}[min(1, h.IntN(10))]
}

func (h *codesHistory) scene() string { return []string{"login", "login", "支付:{x}"}[h.IntN(3)] }

func (h *codesHistory) length() int { return []int{6, 6, 6, 6, 4, 10}[h.IntN(6)] }

func (h *codesHistory) phone() sms.Hash {
	return []sms.Hash{hash(20), hash(20), hash(21), {}}[h.IntN(4)]
}

func (h *codesHistory) code() sms.Hash {
	if n := byte(h.IntN(6)); n > 0 {
		return hash(n)
	}
	return sms.Hash{}
}

func (h *codesHistory) sealed() []byte {
	sealed := make([]byte, 1+h.IntN(80))
	for i := range sealed {
		sealed[i] = byte(h.Uint32())
	}
	return sealed
}
