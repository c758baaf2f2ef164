package sms_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

func (r *rig) resend(id string) sms.Sent {
	r.t.Helper()
	sent, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: id, Client: home})
	if err != nil {
		r.t.Fatalf("resend: %v", err)
	}
	return sent
}

func (r *rig) resendFails(id string, want error) {
	r.t.Helper()
	_, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: id, Client: home})
	sameError(r.t, "resend", err, want)
}

func TestResendRepeatsTheCode(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(sms.SendRequest{Phone: alice, Scene: "login", Locale: "zh", Client: home})
	code := r.codeOf(alice)
	r.verifies(sent.SMSID, otherCode(code), incorrect(4))
	r.pass(61 * time.Second)
	again := r.resend(sent.SMSID)
	if again.SMSID != sent.SMSID || !again.ExpiresAt.Equal(sent.ExpiresAt) || again.ExpiresIn != 239*time.Second ||
		again.Attempts != 4 || again.ResendIn != time.Minute || again.CodeLength != 6 || again.Phone != sent.Phone ||
		again.Scene != "login" || again.Delivery != sms.DeliveryAccepted || len(again.Usages()) == 0 {
		t.Errorf("answer %+v", again)
	}
	r.countMessages(alice, 2)
	m := r.newest(alice)
	if m.Code.Reveal() != code || m.Text.Reveal() != "登录验证码："+code+"，3分钟内有效。请勿告诉任何人。" {
		t.Errorf("text %q", m.Text.Reveal())
	}
	r.verifies(sent.SMSID, code, nil)
}

// better-auth PR 8560, Clinical-Insight-Engine 2351: a resend does not give wrong tries back.
func TestResendDoesNotResetAttempts(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"same", "rotate"} {
		r := newRig(t, setup{policy: with("resend: " + mode)})
		sent := r.send(ask(alice))
		for left := 4; left > 0; left-- {
			r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(left))
			if again := r.resend(sent.SMSID); again.Attempts != left || !again.ExpiresAt.Equal(sent.ExpiresAt) {
				t.Errorf("%s: answer %+v", mode, again)
			}
		}
		r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(0))
		r.resendFails(sent.SMSID, sms.ErrAttemptsExhausted)
		r.verifies(sent.SMSID, r.codeOf(alice), sms.ErrAttemptsExhausted)
	}
}

// activepieces PR 14751: a throttled resend never answers "sent" without a message; it counts against
// the limits of a send.
func TestResendIsThrottled(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	_, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: sent.SMSID, Client: home})
	var denied *throttle.Denied
	if !errors.As(err, &denied) || denied.RetryAfter != time.Minute {
		t.Fatalf("resend: %v", err)
	}
	r.countMessages(alice, 1)
	r.pass(time.Minute)
	r.resend(sent.SMSID)
	r.refused(ask(alice)) // and a send against those of a resend
	r.countMessages(alice, 2)
}

func TestResendOfWhatHasEnded(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with()})
	for _, id := range []string{"", "0b7e", "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69", strings.Repeat("x", 1<<20)} {
		r.resendFails(id, sms.ErrNotFound)
	}
	used, late := r.send(ask(alice)), r.send(ask(bob))
	r.verifies(used.SMSID, r.codeOf(alice), nil)
	r.resendFails(used.SMSID, sms.ErrUsed)
	_, err := r.Resend(r.ctx(), sms.ResendRequest{App: "another", SMSID: late.SMSID})
	sameError(t, "resend by another app", err, sms.ErrNotFound)
	r.pass(4 * time.Minute)
	r.resend(late.SMSID) // one minute left, which the message can state
	r.pass(time.Millisecond)
	r.resendFails(late.SMSID, sms.ErrExpired)
	r.verifies(late.SMSID, r.codeOf(bob), nil) // it is only too late to send it again
	r.pass(15 * time.Minute)
	r.resendFails(late.SMSID, sms.ErrNotFound)
}

// The policy may have changed since the send.
func TestResendGoesByThePolicyOfNow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		policy string
		want   error
	}{
		"the scene is gone":   {strings.ReplaceAll(with(), "login", "register"), sms.ErrUnknownScene},
		"the number blocked":  {with("\nblock: [{phone: \"" + alice + "\", reason: fraud}]"), sms.ErrBlocked},
		"the country dropped": {strings.Replace(with(), `["*"]`, "[US]", 1), sms.ErrDestinationNotAllowed},
		"a device is needed":  {with("require: [device]"), field("/device_id", "required")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, setup{policy: with()})
			sent := r.send(ask(alice))
			r.usePolicy(c.policy)
			r.resendFails(sent.SMSID, c.want)
			r.countMessages(alice, 1)
			r.verifies(sent.SMSID, r.codeOf(alice), nil)
		})
	}
}

func TestResendChecksItsFields(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with()})
	sent := r.send(ask(alice))
	for _, device := range []string{strings.Repeat("x", sms.MaxDeviceID+1), "a\x00", "\xff"} {
		_, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: sent.SMSID, DeviceID: device})
		sameError(t, "resend", err, field("/device_id", "invalid"))
	}
}

// An id is found in any case of its letters, and in no other spelling of a UUID.
func TestSpellingsOfAnID(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with()})
	sent := r.send(ask(alice))
	r.resend(strings.ToUpper(sent.SMSID))
	for _, id := range []string{"urn:uuid:" + sent.SMSID, "{" + sent.SMSID + "}", strings.ReplaceAll(sent.SMSID, "-", ""), sent.SMSID + " "} {
		r.resendFails(id, sms.ErrNotFound)
	}
	r.verifies(strings.ToUpper(sent.SMSID), r.codeOf(alice), nil)
}

// A resend that fails leaves what was there untouched, and gives back what it took.
func TestResendThatFailsLeavesTheCode(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"same", "rotate"} {
		for fault, want := range map[string]error{mock.Reject: sms.ErrUndeliverable, mock.Unavailable: sms.ErrGatewayFailed} {
			r := newRig(t, setup{policy: with("resend: "+mode, "limits: [{name: two, by: [phone], limit: 2, window: 1h}]")})
			sent := r.send(ask(alice))
			code := r.codeOf(alice)
			for range 3 {
				r.setFault(fault, alice, 1, 0)
				r.resendFails(sent.SMSID, want)
			}
			r.countMessages(alice, 1)
			r.verifies(sent.SMSID, otherCode(code), incorrect(4))
			r.verifies(sent.SMSID, code, nil)
		}
	}
}

// better-auth 541, rallly PR 2439: two sends are independent; with rotate, a resend's fresh code takes
// the old one's place.
func TestTwoSendsAreIndependent(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with()})
	first := r.send(ask(alice))
	firstCode := r.codeOf(alice)
	second := r.send(ask(alice))
	secondCode := r.codeOf(alice)
	r.verifies(first.SMSID, firstCode, nil)
	r.verifies(second.SMSID, secondCode, nil)
}
