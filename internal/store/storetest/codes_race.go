package storetest

import (
	"maps"
	"sync"
	"testing"

	"smsd/internal/sms"
)

// raceTests: whatever arrives in parallel.
var raceTests = []codesTest{
	{"50 right at once: one succeeds (better-auth PR 8067)", parallelRight},
	{"50 wrong at once: five are counted (zendvo PR 353)", parallelWrong},
	{"right and wrong at once", parallelMixed},
	{"one id put 50 times at once", parallelPut},
	{"verify against amend", verifyAgainstAmend},
}

// parallel starts n calls at the same instant and counts their outcomes.
func parallel(n int, call func(i int) error) map[string]int {
	var (
		mu    sync.Mutex
		wg    sync.WaitGroup
		start = make(chan struct{})
		tally = map[string]int{}
	)
	for i := range n {
		wg.Go(func() {
			<-start
			result := outcome(call(i))
			mu.Lock()
			defer mu.Unlock()
			tally[result]++
		})
	}
	close(start)
	wg.Wait()
	return tally
}

// verifyInParallel submits guesses to idA.
func (b *codesBench) verifyInParallel(n int, guess func(i int) sms.Guess) map[string]int {
	return parallel(n, func(i int) error {
		_, err := b.Verify(b.t.Context(), idA, guess(i))
		return err
	})
}

func parallelRight(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	got := b.verifyInParallel(50, func(int) sms.Guess { return rightGuess() })
	expect(t, got, map[string]int{outcome(nil): 1, outcome(sms.ErrUsed): 49})
	b.verify(idA, rightGuess(), sms.ErrUsed)
}

func parallelWrong(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	got := b.verifyInParallel(50, func(int) sms.Guess { return wrongGuess() })
	want := map[string]int{outcome(sms.ErrAttemptsExhausted): 45}
	for left := range 5 {
		want[outcome(incorrect(left))] = 1
	}
	expect(t, got, want)
	b.verify(idA, rightGuess(), sms.ErrAttemptsExhausted)
}

// Either a right one got in before the fifth wrong one, and just one did, or none did.
func parallelMixed(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	got := b.verifyInParallel(60, func(i int) sms.Guess {
		if i%3 == 0 {
			return rightGuess()
		}
		return wrongGuess()
	})
	r := b.get(idA)
	wrong := 0
	for left := range 5 {
		n := got[outcome(incorrect(left))]
		if n > 1 {
			t.Errorf("%d verifies were told that %d attempts are left", n, left)
		}
		wrong += n
	}
	if successes := got[outcome(nil)]; successes > 1 || r.Used != (successes == 1) || r.AttemptsLeft != 5-wrong {
		t.Errorf("outcomes %v, and the record is %+v", got, r)
	}
}

func parallelPut(t *testing.T, b *codesBench) {
	got := parallel(50, func(int) error {
		_, err := b.Put(b.t.Context(), idA, typical())
		return err
	})
	if got[outcome(nil)] != 1 {
		t.Errorf("outcomes %v, want one success", got)
	}
}

// A rotation that loses against a verify says so; one that wins leaves the old code wrong.
func verifyAgainstAmend(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	got := parallel(2, func(i int) error {
		if i == 0 {
			return b.Amend(b.t.Context(), idA, sms.Amendment{Code: hash(7)})
		}
		_, err := b.Verify(b.t.Context(), idA, rightGuess())
		return err
	})
	verifyFirst := map[string]int{outcome(nil): 1, outcome(sms.ErrUsed): 1}
	amendFirst := map[string]int{outcome(nil): 1, outcome(incorrect(4)): 1}
	if !maps.Equal(got, verifyFirst) && !maps.Equal(got, amendFirst) {
		t.Errorf("outcomes %v", got)
	}
}

func expect(t *testing.T, got, want map[string]int) {
	t.Helper()
	if !maps.Equal(got, want) {
		t.Errorf("outcomes %v, want %v", got, want)
	}
}
