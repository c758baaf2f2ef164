package sms_test

import (
	"errors"
	"testing"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// supabase/auth PR 788: odd and missing fields run into the limiter in front, which costs no store.
func TestLocalLimiterRunsForBadInputToo(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{local: throttle.LocalOptions{Rate: 1000, Burst: 1000, IPRate: 0.001, IPBurst: 3}})
	for range 3 {
		r.sendFails(sms.SendRequest{Client: home}, field("/scene", "required"))
	}
	if denied := r.refused(sms.SendRequest{Client: home}); denied.Rule != throttle.LocalAddress || denied.RetryAfter <= 0 {
		t.Errorf("refused by %+v", denied.Decision)
	}
	q := ask(alice)
	q.Client = cafe // another address has its own
	r.send(q)
}

func TestLocalLimiterRunsForEveryCall(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{local: throttle.LocalOptions{Rate: 1000, Burst: 1000, IPRate: 0.001, IPBurst: 1}})
	var denied *throttle.Denied
	r.verifies("x", "", field("/code", "required")) // sends and verifies have their own
	if _, err := r.submit("x", ""); !errors.As(err, &denied) || denied.Rule != throttle.LocalAddress {
		t.Errorf("a second verify: %v", err)
	}
	r.resendFails("x", sms.ErrNotFound)
	if _, err := r.Resend(r.ctx(), sms.ResendRequest{Client: home}); !errors.As(err, &denied) || denied.Rule != throttle.LocalAddress {
		t.Errorf("a second resend: %v", err)
	}
}
