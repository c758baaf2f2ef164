package sms_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"smsd/internal/phone"
	"smsd/internal/proof"
	"smsd/internal/secret"
	"smsd/internal/sms"
)

// signer stands in front of what makes tokens: it writes down what it was asked for, and fails when it is told to.
type signer struct {
	mu    sync.Mutex
	asked []proof.Verification
	fails error
}

func (s *signer) sign(v proof.Verification) (secret.Text, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked = append(s.asked, v)
	return secret.New("a.token.of-a-verify"), s.fails
}

// A token is made for the right code alone, and of what was verified, not of what was asked for.
func TestVerifyGivesAToken(t *testing.T) {
	t.Parallel()
	s := &signer{}
	r := newRig(t, setup{sign: s.sign, random: fixed(12345)})
	sent := r.send(ask(alice))
	request := sms.VerifyRequest{SMSID: strings.ToUpper(sent.SMSID), Code: "012346", Nonce: "n-0S6", Client: ask(alice).Client}
	if v, err := r.Verify(t.Context(), request); err == nil || !v.Token.IsZero() || len(s.asked) != 0 {
		t.Fatalf("a wrong code: %v, %d tokens", err, len(s.asked))
	}
	request.Code = "012345"
	v, err := r.Verify(t.Context(), request)
	if err != nil || v.Token.Reveal() != "a.token.of-a-verify" {
		t.Fatalf("%v, token %q", err, v.Token.Reveal())
	}
	want := proof.Verification{SMSID: sent.SMSID, App: "default", Scene: "login", Phone: phone.MustParse(alice), Nonce: "n-0S6"}
	if _, err := r.Verify(t.Context(), request); !errors.Is(err, sms.ErrUsed) || len(s.asked) != 1 || s.asked[0] != want {
		t.Errorf("%v; asked for %+v, want %+v once", err, s.asked, want)
	}
	if strings.Contains(r.log.String(), "of-a-verify") || strings.Contains(r.log.String(), "n-0S6") {
		t.Error("the log holds a token, or a nonce")
	}
}

// The code is used up when the token is made: it must not be for nothing.
func TestTokenThatCantBeMade(t *testing.T) {
	t.Parallel()
	s := &signer{fails: errors.New("no key")}
	r := newRig(t, setup{sign: s.sign})
	sent := r.send(ask(alice))
	v := r.verifies(sent.SMSID, r.codeOf(alice), nil)
	if v.SMSID != sent.SMSID || !v.Token.IsZero() {
		t.Errorf("verified %+v with a token of %q", v, v.Token.Reveal())
	}
	r.metric(`smsd_failed_steps_total{step="token"} 1`)
	if !strings.Contains(r.log.String(), "msg=token") || !strings.Contains(r.log.String(), "no key") {
		t.Error("the log does not tell")
	}
}

// A nonce that can't be printed is refused before anything is counted.
func TestNonceThatIsNone(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	for _, nonce := range []string{strings.Repeat("n", proof.MaxNonce+1), "a\x00", "\x7f", "é", "\xff"} {
		_, err := r.Verify(t.Context(), sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf(alice), Nonce: nonce, Client: ask(alice).Client})
		if field, ok := errors.AsType[*sms.FieldError](err); !ok || field.Pointer != "/nonce" {
			t.Errorf("%q: %v", nonce, err)
		}
	}
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
}
