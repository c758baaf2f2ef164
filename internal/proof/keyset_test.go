package proof_test

import (
	"slices"
	"testing"
	"time"

	"smsd/internal/proof"
)

// week is the start of a period.
var week = time.Unix(0, 0).UTC().Add(start.Sub(time.Unix(0, 0)).Truncate(proof.Period)).Add(proof.Period)

// edges are instants around the turn of a period, and in the midst of it.
var edges = []time.Duration{
	-proof.Period, -proof.MaxAge - 1, -time.Minute, -1, 0, 1, time.Minute, proof.Retired - 1, proof.Retired, proof.Retired + 1,
	proof.Period / 2, proof.Period - 1,
}

// Whoever fetched the set within MaxAge before a token was signed, or at any time while it lives, can check it.
func TestEverySetChecksEveryToken(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{TTL: proof.MaxTTL}, 1)
	for _, signed := range edges {
		r.clock.Set(week.Add(signed))
		token := r.sign(login())
		for _, apart := range []time.Duration{-proof.Period + 1, -proof.MaxAge, -proof.MaxSkew, 0, time.Minute, proof.MaxTTL, proof.Retired - 1} {
			r.clock.Set(week.Add(signed + apart))
			for name, check := range checkBy {
				if _, err := check(token, r.jwks(), week.Add(signed+min(max(apart, 0), proof.MaxTTL-2*time.Second))); err != nil {
					t.Errorf("signed %s after the turn, set fetched %s after that: %s: %v", signed, apart, name, err)
				}
			}
		}
	}
}

// One key follows the other by the clock alone; what is over goes once its tokens have.
func TestKeysFollowEachOther(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{}, 1)
	at := func(d time.Duration) []string { r.clock.Set(week.Add(d)); return r.kids() }
	before, turn, settled, after := at(-1), at(0), at(proof.Retired), at(proof.Period)
	if len(before) != 2 || len(settled) != 2 || len(turn) != 3 {
		t.Fatalf("%d keys before the turn, %d at it, %d later", len(before), len(turn), len(settled))
	}
	if !slices.Equal(turn, []string{before[1], turn[1], before[0]}) || !slices.Equal(settled, turn[:2]) || after[0] != turn[1] {
		t.Errorf("before %q\nat the turn %q\nlater %q\na week later %q", before, turn, settled, after)
	}
	if again := at(-1); !slices.Equal(again, before) {
		t.Errorf("a clock set back: %q, want %q", again, before)
	}
	r.clock.Set(week)
	if kid := kidOf(t, r.sign(login())); kid != before[1] {
		t.Errorf("signed with %s, want %s", kid, before[1])
	}
}

// A token lives over the turn, and is known to be too old for a week after it.
func TestTokenOverTheTurn(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{}, 1)
	r.clock.Set(week.Add(-time.Second))
	token, other := r.sign(login()), login()
	other.SMSID = "5d1c9f0e-2b3a-4c5d-8e7f-a0b1c2d3e4f5"
	old := r.sign(other)
	r.clock.Advance(time.Minute)
	if err := r.consume(token); err != nil {
		t.Error(err)
	}
	r.clock.Set(week.Add(proof.Period - 1))
	r.refused(old, "expired")
	r.clock.Advance(1)
	r.refused(old, "unknown_key")
}

// A secret comes in as the second one, is put first, and the other one goes: whoever kept the set of a step before can
// check every token, and every instance consumes every token.
func TestSecretIsRotated(t *testing.T) {
	t.Parallel()
	steps := []*rig{newRig(t, proof.Options{}, 1), newRig(t, proof.Options{}, 1, 2), newRig(t, proof.Options{}, 2, 1), newRig(t, proof.Options{}, 2)}
	for i := 1; i < len(steps); i++ {
		for _, pair := range [][2]*rig{{steps[i-1], steps[i]}, {steps[i], steps[i-1]}} {
			token := pair[0].sign(login())
			for name, check := range checkBy {
				if _, err := check(token, pair[1].jwks(), start); err != nil {
					t.Errorf("step %d: %s: %v", i, name, err)
				}
			}
			if i != 2 { // both have consumed it at the step before
				continue
			}
			if err := pair[1].consume(token); err != nil {
				t.Errorf("step %d: %v", i, err)
			}
		}
	}
	steps[3].refused(steps[0].sign(login()), "unknown_key")
}
