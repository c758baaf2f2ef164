package storetest

import (
	"context"
	"math/rand/v2"
	"reflect"
	"sync"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// Guessing is a store every take of which carries a guess at one of a few verifications, drawn by a seed: so that what
// is tested of the store is tested of takes with verifies, and what they come to can be compared.
type Guessing struct {
	throttle.Store
	t     *testing.T
	codes sms.Codes

	mu    sync.Mutex
	drawn *rand.Rand
	free  bool
	seen  []guessed
}

// guessed is what a guess came to.
type guessed struct {
	outcome string
	record  sms.Record
	free    bool
}

// WithGuesses returns s, which does verifies on codes. With free there are guesses of another length too, which cost
// nothing: then the answers are not those of takes without.
func WithGuesses(t *testing.T, s throttle.Store, codes sms.Codes, seed uint64, free bool) *Guessing {
	return &Guessing{Store: s, t: t, codes: codes, drawn: rand.New(rand.NewPCG(seed, 1)), free: free}
}

// Take implements [throttle.Store].
func (g *Guessing) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if t.Force {
		return g.Store.Take(ctx, t)
	}
	errand := g.draw()
	t.Errand = errand
	taken, err := g.Store.Take(ctx, t)
	if taken.ErrandDone != taken.Allowed || taken.Free != (errand.Err == sms.ErrCodeFormat) {
		g.t.Errorf("allowed %v, the guess done %v, free %v, with %v", taken.Allowed, taken.ErrandDone, taken.Free, errand.Err)
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = append(g.seen, guessed{outcome(errand.Err), errand.Record, taken.Free})
	taken.ErrandDone = false // as of a take without one
	return taken, err
}

// draw returns a guess. Now and then the verification is a new one: of a second or two, so that some expire.
func (g *Guessing) draw() *sms.VerifyErrand {
	g.mu.Lock()
	defer g.mu.Unlock()
	id, any := codesID(g.drawn.IntN(codesIDs)), func() byte { return byte(1 + g.drawn.IntN(3)) }
	if g.drawn.IntN(6) == 0 {
		n := typical()
		n.Code, n.Attempts, n.TTL, n.Keep = hash(any()), 1+g.drawn.IntN(3), time.Duration(1+g.drawn.IntN(2000))*time.Millisecond, time.Hour
		_ = g.codes.Delete(g.t.Context(), id)
		if _, err := g.codes.Put(g.t.Context(), id, n); err != nil {
			g.t.Error(err)
		}
	}
	own := guess(any())
	if own.Mark = hash(100 + any()); g.free && g.drawn.IntN(4) == 0 {
		own.Length = 5
	}
	return &sms.VerifyErrand{ID: id, Guess: own}
}

// Same fails unless all guesses of g and of another came to the same, and each end of a verification was met.
func (g *Guessing) Same(other *Guessing) {
	g.t.Helper()
	met := map[string]int{}
	for i, one := range g.seen {
		if i >= len(other.seen) || !reflect.DeepEqual(one, other.seen[i]) {
			g.t.Fatalf("guess %d: %+v\nand %+v", i, one, other.seen[i:min(i+1, len(other.seen))])
		}
		met[one.outcome]++
	}
	for _, end := range []error{nil, incorrect(0), sms.ErrUsed, sms.ErrAttemptsExhausted, sms.ErrExpired, sms.ErrNotFound, sms.ErrCodeFormat} {
		if met[outcome(end)] == 0 && (g.free || end != sms.ErrCodeFormat) {
			g.t.Errorf("no guess came to %q", outcome(end))
		}
	}
	g.t.Logf("guesses: %v", met)
}
