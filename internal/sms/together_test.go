package sms_test

import (
	"errors"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

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

// everywhere is a policy with rules for every scene, one of them on sends.
func everywhere(rules string) string {
	return "limits: [{name: sends, by: [phone], limit: 9, window: 1h}, " + rules + "]\n" + with()
}

// A verify that is refused does not reach the code, and one of another length is none.
func TestCodeComparedWithItsCharge(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{together: true, policy: everywhere("{name: few, by: [ip], limit: 2, window: 1m, on: verify}")})
	sent := r.send(ask(alice))
	code := r.codeOf(alice)
	for range 3 {
		r.verifies(sent.SMSID, code[1:], field("/code", "invalid"))
	}
	r.verifies(sent.SMSID, otherCode(code), incorrect(4))
	r.verifies("0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69", code, sms.ErrNotFound)
	for _, typed := range []string{code, otherCode(code), code[1:]} {
		var denied *throttle.Denied
		if _, err := r.submit(sent.SMSID, typed); !errors.As(err, &denied) || denied.RetryAfter != time.Minute {
			t.Errorf("%v, want a refusal", err)
		}
	}
	r.pass(time.Minute)
	r.verifies(sent.SMSID, otherCode(code), incorrect(3))
	r.verifies(sent.SMSID, code, nil)
}

// What was free is not given back: a count has no names, and would lose what another verify was charged.
func TestWhatWasFreeIsNotGivenBack(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{together: true, policy: everywhere("{name: few, by: [ip], limit: 2, window: 1m, algorithm: counter, on: verify}")})
	sent := r.send(ask(alice))
	code := r.codeOf(alice)
	r.verifies(sent.SMSID, otherCode(code), incorrect(4))
	r.verifies(sent.SMSID, code[1:], field("/code", "invalid"))
	r.verifies(sent.SMSID, otherCode(code), incorrect(3))
	var denied *throttle.Denied
	if _, err := r.submit(sent.SMSID, code); !errors.As(err, &denied) {
		t.Errorf("%v, want a refusal", err)
	}
}

// A wrong code that was counted with its charge is a guess like any other.
func TestGuessComparedWithItsChargeCounts(t *testing.T) {
	t.Parallel()
	text := everywhere("{name: few, by: [ip], limit: 9, window: 1m, on: verify}, {name: guesses, by: [phone], limit: 1, window: 1h, on: guess}")
	r := newRig(t, setup{together: true, policy: text})
	sent := r.send(ask(alice))
	r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
	if d := r.refused(ask(alice)); d.Rule != "guesses" {
		t.Errorf("%+v", d.Decision)
	}
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
}

// A charge of which nobody can tell whether it was made may have used the code up.
func TestVerifyInDoubt(t *testing.T) {
	t.Parallel()
	r, _, counters := outage(t, "")
	sent := r.send(ask(alice))
	code := r.codeOf(alice)
	counters.take = true
	doubted := func(before sms.Before) bool {
		t.Helper()
		_, err := r.Verify(r.ctx(), sms.VerifyRequest{SMSID: sent.SMSID, Code: code, Client: home, Before: before})
		if !errors.Is(err, sms.ErrUnavailable) {
			t.Fatalf("%v, want it unavailable", err)
		}
		var doubt *sms.DoubtError
		return errors.As(err, &doubt)
	}
	a := &announced{r: r}
	if !doubted(nil) || doubted(a.before) { // one that is announced is compared after that
		t.Error("whether it is in doubt is not told")
	}
	counters.take = false
	r.verifies(sent.SMSID, code, nil)
}
