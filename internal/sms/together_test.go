package sms_test

import (
	"context"
	"testing"

	"smsd/internal/gateway/mock"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// together are counters that store a code along with its charge, as those in Redis do.
type together struct {
	throttle.Store
	codes sms.Codes
}

func (s *together) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	taken, err := s.Store.Take(ctx, t)
	put, carried := t.Errand.(*sms.PutErrand)
	if err != nil || !taken.Allowed || !carried {
		return taken, err
	}
	_, err = s.codes.Put(ctx, put.ID, put.Record)
	taken.ErrandDone = true
	return taken, err
}

// A code that the charge has stored is a code like any other.
func TestCodeStoredWithItsCharge(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{together: true})
	sent := r.send(ask(alice))
	r.refused(ask(alice))
	r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
	if n := r.codes.Len(); n != 1 {
		t.Errorf("%d codes are stored, want 1", n)
	}
}

// If its message surely did not leave, it is forgotten.
func TestCodeStoredWithItsChargeIsForgotten(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{together: true})
	r.setFault(mock.Reject, alice, 1, 0)
	r.sendFails(ask(alice), sms.ErrUndeliverable)
	if n := r.codes.Len(); n != 0 {
		t.Errorf("%d codes are stored, want none", n)
	}
}
