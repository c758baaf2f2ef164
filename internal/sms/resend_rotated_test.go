package sms_test

import (
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/phone"
	"smsd/internal/sms"
)

// Codes drawn in turn, so that a rotation surely changes the code.
type counting struct{ n byte }

func (c *counting) Read(p []byte) (int, error) {
	clear(p)
	c.n++
	p[len(p)-1] = c.n
	return len(p), nil
}

func TestRotation(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("resend: rotate"), random: &counting{}})
	sent := r.send(ask(alice))
	old := r.codeOf(alice)
	r.pass(time.Minute)
	again := r.resend(sent.SMSID)
	fresh := r.codeOf(alice)
	if fresh == old || again.SMSID != sent.SMSID || !again.ExpiresAt.Equal(sent.ExpiresAt) {
		t.Fatalf("codes %s and %s, answer %+v", old, fresh, again)
	}
	if text := r.newest(alice).Text.Reveal(); text != fresh+" 4" {
		t.Errorf("text %q", text)
	}
	r.verifies(sent.SMSID, old, incorrect(4)) // replaced: a wrong code
	r.resend(sent.SMSID)
	r.verifies(sent.SMSID, fresh, incorrect(3))
	v := r.verifies(sent.SMSID, r.codeOf(alice), nil)
	if v.Phone != phone.MustParse(alice) {
		t.Errorf("verified %+v", v)
	}
}

// What a rotation left is what a later resend repeats.
func TestResendAfterARotation(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("resend: rotate"), random: &counting{}})
	sent := r.send(ask(alice))
	r.resend(sent.SMSID)
	fresh := r.codeOf(alice)
	r.usePolicy(with("resend: same"))
	r.resend(sent.SMSID)
	if again := r.codeOf(alice); again != fresh {
		t.Errorf("the rotation left %s, the resend repeats %s", fresh, again)
	}
	r.verifies(sent.SMSID, fresh, nil)
}

// A fresh code that may have arrived counts; one that surely did not does not.
func TestRotationInDoubt(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("resend: rotate"), random: &counting{}})
	sent := r.send(ask(alice))
	old := r.codeOf(alice)
	r.setFault(mock.TimeoutAfterAccept, alice, 1, 0)
	if again := r.resend(sent.SMSID); again.Delivery != sms.DeliveryUnknown {
		t.Errorf("delivery %q", again.Delivery)
	}
	fresh := r.codeOf(alice)
	r.verifies(sent.SMSID, old, incorrect(4))
	r.verifies(sent.SMSID, fresh, nil)
}

// The length is the verification's: the store compares with it.
func TestRotationKeepsTheLength(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("resend: rotate")})
	sent := r.send(ask(alice))
	r.usePolicy(strings.Replace(with("resend: rotate"), "length: 6", "length: 8", 1))
	if again := r.resend(sent.SMSID); again.CodeLength != 6 {
		t.Errorf("code length %d", again.CodeLength)
	}
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
}

// A verify that is quicker than the rotation is what the client hears of.
func TestRotationAfterAVerify(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("resend: rotate"), random: &counting{}})
	sent := r.send(ask(alice))
	old := r.codeOf(alice)
	r.wall.also = func(time.Duration) { r.wall.also = nil; r.verifies(sent.SMSID, old, nil) } // while the gateway sends
	r.resendFails(sent.SMSID, sms.ErrUsed)
	r.verifies(sent.SMSID, old, sms.ErrUsed)
}

func TestRotationThatIsNotStored(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("resend: rotate"), random: &counting{},
		codes: func(c sms.Codes) sms.Codes { return &failing{Codes: c, amend: true} }})
	sent := r.send(ask(alice))
	old := r.codeOf(alice)
	r.resendFails(sent.SMSID, sms.ErrUnavailable)
	r.verifies(sent.SMSID, old, nil)
}
