package proof_test

import (
	"errors"
	"testing"
	"time"

	"smsd/internal/proof"
	"smsd/internal/proof/prooftest"
)

// A round removes all that may go, however much it is, and nothing that may still be needed.
func TestSweep(t *testing.T) {
	t.Parallel()
	store := &prooftest.Consumed{}
	r := newRig(t, proof.Options{Consumed: store}, 1)
	const many = 2500 // of several chunks
	for i := range many {
		v := login()
		v.SMSID = time.Duration(i).String()
		if err := r.consume(r.sign(v)); err != nil {
			t.Fatal(err)
		}
	}
	r.clock.Set(start.Add(proof.DefaultTTL + proof.Remembered - 1))
	if r.SweepOnce(t.Context()); store.Len() != many {
		t.Errorf("%d are left, want %d", store.Len(), many)
	}
	r.clock.Advance(1)
	if r.SweepOnce(t.Context()); store.Len() != 0 {
		t.Errorf("%d are left, want none", store.Len())
	}
	if got := r.counter("smsd_tokens_purged_total"); got != many {
		t.Errorf("the metric says %v", got)
	}
}

func TestSweepThatFails(t *testing.T) {
	t.Parallel()
	r := newRig(t, proof.Options{Consumed: &watched{fails: errors.New("disk")}}, 1)
	r.SweepOnce(t.Context())
	if got := r.counter("smsd_tokens_failed_purges_total"); got != 1 {
		t.Errorf("the metric says %v", got)
	}
}
