package sms_test

import (
	"context"
	"errors"
	"net/netip"
	"testing"

	"smsd/internal/address"
	"smsd/internal/requestid"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

const (
	alice = "+8613800138000"
	bob   = "+447400123456"
)

var (
	home = address.From(netip.MustParseAddr("203.0.113.7"))
	cafe = address.From(netip.MustParseAddr("198.51.100.9"))
)

// ask is a plain request for a code.
func ask(number string) sms.SendRequest {
	return sms.SendRequest{Phone: number, Scene: "login", Client: home}
}

func (r *rig) ctx() context.Context { return requestid.With(r.t.Context(), "request-1") }

// send sends, and fails the test if that fails.
func (r *rig) send(q sms.SendRequest) sms.Sent {
	r.t.Helper()
	sent, err := r.Send(r.ctx(), q)
	if err != nil {
		r.t.Fatalf("send: %v", err)
	}
	return sent
}

// refused sends, and returns the refusal.
func (r *rig) refused(q sms.SendRequest) *throttle.Denied {
	r.t.Helper()
	_, err := r.Send(r.ctx(), q)
	var denied *throttle.Denied
	if !errors.As(err, &denied) {
		r.t.Fatalf("send: %v, want a refusal", err)
	}
	return denied
}

// sendFails sends, and checks the error.
func (r *rig) sendFails(q sms.SendRequest, want error) {
	r.t.Helper()
	_, err := r.Send(r.ctx(), q)
	sameError(r.t, "send", err, want)
}

func (r *rig) submit(id, code string) (sms.Verified, error) {
	return r.Verify(r.ctx(), sms.VerifyRequest{SMSID: id, Code: code, Client: home})
}

// verifies submits a code and checks the error; nil means success.
func (r *rig) verifies(id, code string, want error) sms.Verified {
	r.t.Helper()
	v, err := r.submit(id, code)
	sameError(r.t, "verify", err, want)
	return v
}

// verifyRequest submits and checks the error.
func (r *rig) verifyRequest(q sms.VerifyRequest, want error) sms.Verified {
	r.t.Helper()
	v, err := r.Verify(r.ctx(), q)
	sameError(r.t, "verify", err, want)
	return v
}

// sameError checks that err is want: the same sentinel, or the same typed error with the same content.
func sameError(t testing.TB, what string, err, want error) {
	t.Helper()
	var wrong, wantWrong *sms.IncorrectError
	var field, wantField *sms.FieldError
	same := errors.Is(err, want)
	switch {
	case errors.As(want, &wantWrong):
		same = errors.As(err, &wrong) && *wrong == *wantWrong
	case errors.As(want, &wantField):
		same = errors.As(err, &field) && *field == *wantField
	}
	if !same {
		t.Fatalf("%s: %v, want %v", what, err, want)
	}
}

func incorrect(left int) error { return &sms.IncorrectError{AttemptsLeft: left} }

func field(pointer, code string) error { return &sms.FieldError{Pointer: pointer, Code: code} }

// otherCode is a code as long as code, and not it.
func otherCode(code string) string {
	return string('0'+(code[0]-'0'+1)%10) + code[1:]
}

func addressIn(s string) (address.Addr, error) { return address.Parse(s) }
