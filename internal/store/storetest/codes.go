package storetest

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"smsd/internal/proof"
	"smsd/internal/sms"
)

// Codes puts an implementation of [sms.Codes] through every line of its contract. open returns an empty
// one that reads the given clock; it is closed by t.Cleanup. Each test opens its own, and they run
// in parallel.
func Codes(t *testing.T, open func(t *testing.T, clock func() time.Time) sms.Codes) {
	t.Helper()
	for _, group := range [][]codesTest{lifeTests, verifyTests, amendTests, raceTests} {
		for _, test := range group {
			t.Run(test.name, func(t *testing.T) {
				t.Parallel()
				clock := &codesClock{now: codesStart}
				test.run(t, &codesBench{t: t, Codes: open(t, clock.Now), clock: clock})
			})
		}
	}
}

type codesTest struct {
	name string
	run  func(*testing.T, *codesBench)
}

// codesStart is an instant with a fraction: stores keep whole milliseconds.
var codesStart = time.Date(2026, 11, 30, 6, 0, 0, 123_456_789, time.UTC)

// codesClock is the clock that a test moves.
type codesClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *codesClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *codesClock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// milli is the clock's instant as a store gives it.
func (c *codesClock) milli() time.Time { return c.Now().Truncate(time.Millisecond) }

// codesBench is the store under test with what every test does to it.
type codesBench struct {
	sms.Codes
	t     *testing.T
	clock *codesClock
}

const (
	idA = "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69"
	idB = "5d1c9f0e-2b3a-4c5d-8e7f-a0b1c2d3e4f5"

	codesTTL  = 5 * time.Minute
	codesKeep = 10 * time.Minute
)

// hash returns a Hash that differs for each n and is never zero.
func hash(n byte) sms.Hash {
	return sms.Hash{0: n, 1: 0x00, 2: 0xff, 3: '}', 15: ^n}
}

// typical is a record of five attempts; its code is hash(1), its phone hash(2).
func typical() sms.NewRecord {
	return sms.NewRecord{
		App: "default", Scene: "login", Code: hash(1), Phone: hash(2), Length: 6, Attempts: 5,
		Sealed: []byte("sealed\x00\xff{}"), TTL: codesTTL, Keep: codesKeep,
	}
}

// rightGuess is the typical record's code; wrongGuess is another one.
func rightGuess() sms.Guess { return guess(1) }
func wrongGuess() sms.Guess { return guess(9) }

func guess(codes ...byte) sms.Guess {
	g := sms.Guess{App: "default", Length: 6}
	for _, n := range codes {
		g.Codes = append(g.Codes, hash(n))
	}
	return g
}

func (b *codesBench) put(id string, n sms.NewRecord) {
	b.t.Helper()
	now, err := b.Put(b.t.Context(), id, n)
	if err != nil {
		b.t.Fatalf("put: %v", err)
	}
	if want := b.clock.milli(); !now.Equal(want) || now.Location() != time.UTC {
		b.t.Fatalf("put returned the clock %v, want %v", now, want)
	}
}

func (b *codesBench) get(id string) sms.Record {
	b.t.Helper()
	r, err := b.Get(b.t.Context(), id)
	if err != nil {
		b.t.Fatalf("get: %v", err)
	}
	return r
}

// verify submits g and checks the error; nil means success.
func (b *codesBench) verify(id string, g sms.Guess, want error) sms.Record {
	b.t.Helper()
	r, err := b.Verify(b.t.Context(), id, g)
	b.is(err, want)
	return r
}

// is checks that err is want: the same sentinel, or a wrong code that leaves as many attempts.
func (b *codesBench) is(err, want error) {
	b.t.Helper()
	if outcome(err) != outcome(want) {
		b.t.Fatalf("got %v, want %v", err, want)
	}
}

func (b *codesBench) amend(id string, a sms.Amendment, want error) {
	b.t.Helper()
	b.is(b.Amend(b.t.Context(), id, a), want)
}

func (b *codesBench) remove(id string) {
	b.t.Helper()
	b.is(b.Delete(b.t.Context(), id), nil)
}

// unchanged checks that the record is as before, but for the clock.
func (b *codesBench) unchanged(id string, before sms.Record) {
	b.t.Helper()
	after := b.get(id)
	after.Now = before.Now
	if !reflect.DeepEqual(after, before) {
		b.t.Fatalf("the record changed:\n got %+v\nwant %+v", after, before)
	}
}

func incorrect(left int) error { return &sms.IncorrectError{AttemptsLeft: left} }

var sentinels = []error{
	sms.ErrNotFound, sms.ErrUsed, sms.ErrAttemptsExhausted, sms.ErrExpired, sms.ErrCodeFormat, sms.ErrUnavailable,
	proof.ErrConsumed, proof.ErrUnavailable,
}

// outcome names what an error means to a caller, so that two of them can be compared.
func outcome(err error) string {
	var wrong *sms.IncorrectError
	if errors.As(err, &wrong) {
		return wrong.Error()
	}
	for _, sentinel := range sentinels {
		if errors.Is(err, sentinel) {
			return sentinel.Error()
		}
	}
	if err != nil {
		return "another error"
	}
	return "success"
}

// lateContext is one whose deadline has passed.
func lateContext(t *testing.T) context.Context {
	ctx, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	t.Cleanup(cancel)
	return ctx
}
