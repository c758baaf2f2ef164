package storetest

import (
	"maps"

	"smsd/internal/sms"
)

const refusedOutcome = "refused"

// race sends 64 guesses at once under the limit, and says what they came to; each has its own reservation.
func (b *errandBench) race(limit int64, guess func(i int) sms.Guess) map[string]int {
	b.put(idA)
	tally, raced := map[string]int{}, make([]string, 64)
	parallel(len(raced), func(i int) error {
		take := verifyOf(idA, guess(i), counted(limit))
		take.ID = uint32(i)
		taken, err := b.store.Take(b.Context(), take)
		errand := take.Errand.(*sms.VerifyErrand)
		switch {
		case err != nil || taken.ErrandDone != (taken.Allowed && b.does):
			b.Errorf("%+v, %v", taken, err)
		case !taken.Allowed:
			raced[i] = refusedOutcome
		case b.does:
			raced[i] = outcome(errand.Err)
		default:
			_, err = b.codes.Verify(b.Context(), idA, errand.Guess)
			raced[i] = outcome(err)
		}
		return nil
	})
	for _, came := range raced {
		tally[came]++
	}
	return tally
}

func (b *errandBench) cameTo(got, want map[string]int) {
	b.Helper()
	if !maps.Equal(got, want) {
		b.Fatalf("outcomes %v, want %v", got, want)
	}
}

func verifyRaceRight(b *errandBench) {
	got := b.race(20, func(int) sms.Guess { return rightGuess() })
	b.cameTo(got, map[string]int{outcome(nil): 1, outcome(sms.ErrUsed): 19, refusedOutcome: 44})
	b.uses(counted(20), 20, 20)
	if r := b.get(idA); !r.Used || r.AttemptsLeft != 5 {
		b.Fatalf("%+v", r)
	}
}

func verifyRaceWrong(b *errandBench) {
	got := b.race(20, func(int) sms.Guess { return wrongGuess() })
	want := map[string]int{outcome(sms.ErrAttemptsExhausted): 15, refusedOutcome: 44}
	for left := range 5 {
		want[outcome(incorrect(left))] = 1
	}
	b.cameTo(got, want)
	b.uses(counted(20), 20, 20)
}

// Whoever comes first: what is counted is what was no guess of another length while the code lived.
func verifyRaceMixed(b *errandBench) {
	got := b.race(1000, func(i int) sms.Guess {
		g := guess(byte(1 + 8*(i%2)))
		if i%3 == 0 {
			g.Length = 5
		}
		return g
	})
	free := got[outcome(sms.ErrCodeFormat)]
	if !b.does {
		free = 0
	}
	if got[outcome(nil)] > 1 || got[refusedOutcome] > 0 {
		b.Fatalf("outcomes %v", got)
	}
	b.uses(counted(1000), int64(64-free), int64(64-free))
}
