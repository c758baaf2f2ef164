package sms_test

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/sms"
)

func TestSendAnswers(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	if len(sent.SMSID) != 36 || len(sent.Usages()) == 0 {
		t.Errorf("sms_id %q, %d usages", sent.SMSID, len(sent.Usages()))
	}
	sent = sent.Outward()
	sent.SMSID = ""
	want := sms.Sent{
		Scene: "login", Phone: phone.MustParse(alice), CodeLength: 6, Attempts: 5, ExpiresIn: 5 * time.Minute,
		ExpiresAt: r.stores.Now().Add(5 * time.Minute), ResendIn: time.Minute, Delivery: sms.DeliveryAccepted,
	}
	if !reflect.DeepEqual(sent, want) {
		t.Errorf("got  %+v\nwant %+v", sent, want)
	}
}

// makeradmin 651, packetfence 3473: the text has all the digits, the gateway gets pure E.164.
func TestTheMessage(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(sms.SendRequest{Phone: "+86 138-0013-8000", Scene: "login", Locale: "zh-CN", Client: home})
	m := r.newest(alice)
	if m.Phone.E164() != alice || m.SMSID != sent.SMSID || m.Scene != "login" {
		t.Errorf("message %+v to %s", m, m.Phone.E164())
	}
	if want := "登录验证码：" + m.Code.Reveal() + "，5分钟内有效。请勿告诉任何人。"; m.Text.Reveal() != want {
		t.Errorf("text %q, want %q", m.Text.Reveal(), want)
	}
	r.send(sms.SendRequest{Phone: bob, Scene: "login", Client: home})
	if text := r.newest(bob).Text.Reveal(); !strings.HasSuffix(text, " is your login code. It works for 5 minutes. Never share it.") {
		t.Errorf("text %q", text)
	}
}

func TestLeadingZeroesAreKept(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{random: fixed(12345)})
	sent := r.send(ask(alice))
	if text := r.newest(alice).Text.Reveal(); !strings.HasPrefix(text, "012345 is") {
		t.Errorf("text %q", text)
	}
	// GoogleAuth 37: the code without its zero is no code of this length, and costs no attempt.
	r.verifies(sent.SMSID, "12345", field("/code", "invalid"))
	r.verifies(sent.SMSID, "012346", incorrect(4))
	r.verifies(sent.SMSID, "012345", nil)
}

// fixed is a random source that draws one value for ever.
type fixed uint64

func (f fixed) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(f >> (8 * (len(p) - 1 - i)))
	}
	return len(p), nil
}

// httprate#62: a client that hangs up leaves no charge without its message, nor the other way round.
func TestClientHangsUp(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	gone, hangUp := context.WithCancel(r.ctx())
	hangUp()
	sent, err := r.Send(gone, ask(alice))
	if err != nil {
		t.Fatalf("send: %v", err)
	}
	r.countMessages(alice, 1)
	r.refused(ask(alice))
	if _, err := r.Verify(gone, sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf(alice), Client: home}); err != nil {
		t.Fatalf("verify: %v", err)
	}
	r.pass(time.Minute)
	r.setFault("unavailable", alice, 1, 0)
	if _, err := r.Send(gone, ask(alice)); !errors.Is(err, sms.ErrGatewayFailed) {
		t.Fatalf("send: %v", err)
	}
	r.send(ask(alice)) // the refund was made all the same
}
