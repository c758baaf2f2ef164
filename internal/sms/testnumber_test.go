package sms_test

import (
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/sms"
)

// supabase/cli 3656: a test number in a loop costs no quota and sends nothing.
func TestTestNumbers(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with(
		"limits: [{name: once, by: [ip], limit: 1, window: 1h}, {name: two, by: [phone], limit: 1, window: 1h}]",
		"\ntest_numbers: [{phone: \"+8613800138000\", code: \"0000\", until: 2026-12-31}]")})
	for range 20 {
		sent := r.send(ask(alice))
		if sent.CodeLength != 4 || sent.ResendIn != 0 || sent.ExpiresIn != 5*time.Minute {
			t.Fatalf("answer %+v", sent)
		}
		if _, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: sent.SMSID, Client: home}); err != nil {
			t.Fatalf("resend: %v", err)
		}
		r.verifies(sent.SMSID, "0001", incorrect(4))
		if v := r.verifies(sent.SMSID, "0000", nil); v.Phone != phone.MustParse(alice) {
			t.Fatalf("verified %v", v)
		}
		r.verifies(sent.SMSID, "0000", sms.ErrUsed)
	}
	r.countMessages(alice, 0)
	r.send(ask(bob)) // the address's quota is whole

	// Past its end it is a number like any other.
	r.pass(60 * 24 * time.Hour)
	r.send(ask(alice))
	r.countMessages(alice, 1)
	r.refused(ask(alice))
}

// kratos PR 4606: the code of a test number is always the same, so guesses are bounded as for any number.
func TestGuessesOfTestNumbersAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with(
		"limits: [{name: guesses, by: [phone, scene], limit: 7, window: 1h, on: guess}]",
		"\ntest_numbers: [{phone: \"+8613800138000\", code: \"0000\", until: 2026-12-31}]")})
	first, second := r.send(ask(alice)), r.send(ask(alice))
	for left := 4; left >= 0; left-- {
		r.verifies(first.SMSID, "0001", incorrect(left))
	}
	r.verifies(second.SMSID, "0001", incorrect(4))
	r.verifies(second.SMSID, "0001", incorrect(3))
	if denied := r.refused(ask(alice)); denied.Rule != "login/guesses" || denied.RetryAfter <= 0 {
		t.Errorf("refused by %+v", denied)
	}
	r.verifies(second.SMSID, "0000", nil) // never the check of a code that is out
	r.pass(time.Hour)
	r.send(ask(alice))
}

// What costs no quota must not fill the store either.
func TestSendsToTestNumbersAreBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("\ntest_numbers: [{phone: \"+8613800138000\", code: \"0000\", until: 2026-12-31}]")})
	for range 200 {
		r.send(ask(alice))
	}
	denied := r.refused(ask(alice))
	if denied.Rule != "local-test-numbers" || denied.RetryAfter <= 0 {
		t.Fatalf("refused by %+v", denied)
	}
	r.send(ask(bob))
	r.pass(denied.RetryAfter)
	r.send(ask(alice))
}
