package sms_test

import (
	"bytes"
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

func TestVerifyAnswers(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	r.pass(time.Second)
	want := sms.Verified{SMSID: sent.SMSID, Scene: "login", Phone: phone.MustParse(alice), VerifiedAt: r.stores.Now()}
	if got := r.verifies(sent.SMSID, r.codeOf(alice), nil); !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	r.verifies(sent.SMSID, r.codeOf(alice), sms.ErrUsed)
}

// The code as people type it; every one is accepted (better-auth 11297's neighbours: see TestReadCodeAsTyped).
func TestVerifyAsTyped(t *testing.T) {
	t.Parallel()
	for _, typed := range []string{
		" 012345", "012 345", "012-345", "012\u200b345", "٠١٢٣٤٥", "０１２３４５",
	} {
		r := newRig(t, setup{random: fixed(12345)})
		sent := r.send(ask(alice))
		r.verifies(sent.SMSID, typed, nil)
	}
}

// rubygems PR 3459, GoogleAuth 37: what is no code of this length costs no attempt, and no quota.
func TestVerifyOfWhatIsNoCode(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("limits: [{name: one, by: [ip], limit: 1, window: 1h, on: verify}]")})
	sent := r.send(ask(alice))
	for typed, code := range map[string]string{
		"": "required", " ": "required", "[]": "invalid", "{}": "invalid", "null": "invalid", "12345": "invalid", "1234567": "invalid",
		strings.Repeat("1", 1<<20): "invalid", "123456\x00": "invalid", "\xff": "invalid",
	} {
		r.verifies(sent.SMSID, typed, field("/code", code))
	}
	// Bad input also comes before an sms_id that is none.
	r.verifies("nonsense", "12", field("/code", "invalid"))
	r.verifyRequest(sms.VerifyRequest{SMSID: sent.SMSID, Code: "123456", Scene: strings.Repeat("x", throttle.MaxName+1)}, field("/scene", "invalid"))
	r.verifyRequest(sms.VerifyRequest{SMSID: sent.SMSID, Code: "123456", Scene: "a\x00"}, field("/scene", "invalid"))
	for _, number := range []string{"+861380013800000000", "+86138\r\n00138000", strings.Repeat("+86", 1<<18), "1380013800000000", "call me"} {
		r.verifyRequest(sms.VerifyRequest{SMSID: sent.SMSID, Code: "123456", Phone: number, Client: home}, phone.ErrInvalid)
	}
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
}

func TestVerifyOfAnIDThatNeverWas(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{codes: func(c sms.Codes) sms.Codes { return &failing{Codes: c, get: true, verify: true} }})
	for _, id := range []string{"", "x", strings.Repeat("0", 36), strings.Repeat("x", 1<<20)} {
		r.verifies(id, "123456", sms.ErrNotFound) // without asking the store, which would fail
	}
	r = newRig(t, setup{})
	for _, number := range []string{"", alice, "13800138000"} {
		q := sms.VerifyRequest{SMSID: "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69", Code: "123456", Phone: number, Client: home}
		r.verifyRequest(q, sms.ErrNotFound)
	}
}

// better-auth PR 8067, 3253
func TestFiftyParallelRightVerifies(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	code := r.codeOf(alice)
	tally := inParallel(50, func(int) error { _, err := r.submit(sent.SMSID, code); return err })
	if tally["success"] != 1 || tally[sms.ErrUsed.Error()] != 49 {
		t.Errorf("outcomes %v", tally)
	}
	r.verifies(sent.SMSID, code, sms.ErrUsed)
}

// zendvo PR 353
func TestFiftyParallelWrongVerifies(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	code := r.codeOf(alice)
	tally := inParallel(50, func(int) error { _, err := r.submit(sent.SMSID, otherCode(code)); return err })
	if tally["incorrect"] != 5 || tally[sms.ErrAttemptsExhausted.Error()] != 45 {
		t.Errorf("outcomes %v", tally)
	}
	r.verifies(sent.SMSID, code, sms.ErrAttemptsExhausted)
}

// otpgateway 23, otp-jwt 5
func TestTheLastAttemptMaySucceed(t *testing.T) {
	t.Parallel()
	for wrong := range 5 {
		r := newRig(t, setup{})
		sent := r.send(ask(alice))
		for i := range wrong {
			r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4-i))
		}
		r.verifies(sent.SMSID, r.codeOf(alice), nil)
	}
}

// kratos PR 4606: guesses spread over many sms_ids are counted by phone and scene; a spent budget refuses
// new sends, and never the check of a code that is out.
func TestGuessBudgetRefusesSendsOnly(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("limits: [{name: guesses, by: [phone, scene], limit: 4, window: 1h, on: guess}]")})
	first := r.send(ask(alice))
	firstCode := r.codeOf(alice)
	second := r.send(ask(alice))
	code := r.codeOf(alice)
	for left := 4; left > 2; left-- {
		r.verifies(first.SMSID, otherCode(firstCode), incorrect(left))
		r.verifies(second.SMSID, otherCode(code), incorrect(left))
	}
	if denied := r.refused(ask(alice)); denied.Rule != "login/guesses" || denied.RetryAfter != time.Hour {
		t.Errorf("refused by %+v", denied.Decision)
	}
	r.resendRefused(second.SMSID)
	r.send(ask(bob)) // it is this phone's budget
	r.verifies(second.SMSID, code, nil)
}

// resendRefused expects a resend to be refused.
func (r *rig) resendRefused(id string) {
	r.t.Helper()
	_, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: id, Client: home})
	var denied *throttle.Denied
	if !errors.As(err, &denied) {
		r.t.Fatalf("resend: %v, want a refusal", err)
	}
}

// identity-idp#2388, dearmep#162, ezauth#196: whatever a stranger exhausts, the victim's live code verifies.
func TestStrangersCannotEndALiveCode(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask(alice))
	code := r.codeOf(alice)
	for range 100 { // sends from elsewhere, and guesses at ids of their own
		q := ask(alice)
		q.Client = cafe
		_, _ = r.Send(r.ctx(), q)
		_, _ = r.Verify(r.ctx(), sms.VerifyRequest{SMSID: "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69", Code: "123456", Phone: alice, Client: cafe})
	}
	r.verifies(sent.SMSID, code, nil)
}

// press PR 7078: a code of one scene is a wrong code in another, and counted.
func TestVerifyUnderAnotherScene(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(sms.SendRequest{Phone: alice, Scene: "register", Client: home})
	code := r.codeOf(alice)
	q := sms.VerifyRequest{SMSID: sent.SMSID, Code: code, Client: home}
	for left, scene := range map[int]string{4: "reset_password"} {
		q.Scene = scene
		r.verifyRequest(q, incorrect(left))
	}
	q.Scene = "no_such_scene"
	r.verifyRequest(q, incorrect(3))
	q.Scene = "register"
	if v := r.verifyRequest(q, nil); v.Scene != "register" {
		t.Errorf("verified %+v", v)
	}
}

// convex-auth 243
func TestVerifyUnderAnotherID(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{random: &counting{}})
	a, b := r.send(ask(alice)), r.send(ask(bob))
	r.verifies(b.SMSID, r.codeOf(alice), incorrect(4))
	r.verifies(a.SMSID, r.codeOf(bob), incorrect(4))
	r.verifies(b.SMSID, r.codeOf(bob), nil)
}

func TestVerifyByAnotherApp(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	q := ask(alice)
	q.App = "shop"
	sent := r.send(q)
	for _, number := range []string{"", alice, "13800138000"} {
		v := sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf(alice), Phone: number, Client: home}
		r.verifyRequest(v, sms.ErrNotFound)
	}
	// Not even a number that is none tells that there is such a verification.
	v := sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf(alice), Phone: "12", Client: home}
	r.verifyRequest(v, sms.ErrNotFound)
	r.verifyRequest(sms.VerifyRequest{App: "shop", SMSID: sent.SMSID, Code: r.codeOf(alice)}, nil)
}

// keycloak-phone-provider PR 92: the phone in another spelling; a national one is read as send read it.
func TestVerifyWithThePhone(t *testing.T) {
	t.Parallel()
	for _, secrets := range [][]byte{{1}, {2, 1}} { // while secrets rotate, too
		for spelling, right := range map[string]bool{
			alice: true, "+86 138-0013-8000": true, "0086 138 0013 8000": true, "＋８６１３８００１３８０００": true,
			"13800138000": true, "138 0013 8000": true,
			bob: false, "+8613800138001": false, "13800138001": false,
		} {
			r := newRig(t, setup{secrets: ringOf(secrets...)})
			q := ask("138 0013 8000")
			q.Region = "CN"
			sent := r.send(q)
			v := sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf(alice), Phone: spelling, Client: home}
			if right {
				r.verifyRequest(v, nil)
				continue
			}
			r.verifyRequest(v, incorrect(4))
			r.verifies(sent.SMSID, r.codeOf(alice), nil)
		}
	}
}

func ringOf(secrets ...byte) (all [][]byte) {
	for _, b := range secrets {
		all = append(all, bytes.Repeat([]byte{b}, 32))
	}
	return all
}

// Where send needed no region, a national number is read as the number's own country writes it.
func TestVerifyWithANationalPhoneAfterAnInternationalSend(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	sent := r.send(ask("+12025550100"))
	r.verifyRequest(sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf("+12025550100"), Phone: "(202) 555-0100"}, nil)
}

// The region that send was given is what counts, also where the number did not need it.
func TestVerifyReadsThePhoneWithTheRegionOfSend(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	q := ask("+12025550100")
	q.Region = "GB"
	sent := r.send(q)
	v := sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf("+12025550100"), Phone: "2025550100", Client: home}
	r.verifyRequest(v, incorrect(4)) // in Britain, a number of London
	v.Phone = "+1 202-555-0100"
	r.verifyRequest(v, nil)
}

// A verification that was not there when its region was looked for is not there for this request: with
// a number that could not be read, it must not match any.
func TestVerifyOfWhatAppearsMeanwhile(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{codes: func(c sms.Codes) sms.Codes { return &blind{c} }})
	sent := r.send(ask(alice))
	v := sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf(alice), Phone: "15912345678", Client: home}
	r.verifyRequest(v, sms.ErrNotFound)
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
}

// blind is a store that finds nothing to read.
type blind struct{ sms.Codes }

func (b *blind) Get(context.Context, string) (sms.Record, error) {
	return sms.Record{}, sms.ErrNotFound
}

// Secrets rotate under live codes: made with the old one, verified with either in the ring.
func TestSecretsRotate(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{secrets: ringOf(1), policy: with("resend: rotate")})
	sent, other, third := r.send(ask(alice)), r.send(ask(bob)), r.send(ask("+12025550100"))
	r.restart(setup{secrets: ringOf(2, 1)})
	r.resend(third.SMSID) // its code is now the new secret's, its phone's hash still the old one's
	for _, c := range []struct{ id, number string }{{sent.SMSID, alice}, {third.SMSID, "+12025550100"}} {
		v := sms.VerifyRequest{SMSID: c.id, Code: r.codeOf(c.number), Phone: bob, Client: home}
		r.verifyRequest(v, incorrect(4))
		v.Phone = c.number
		r.verifyRequest(v, nil)
	}
	r.verifies(other.SMSID, r.codeOf(bob), nil)

	fresh := r.send(ask(alice))
	r.restart(setup{secrets: ringOf(2)})
	r.verifies(fresh.SMSID, r.codeOf(alice), nil)
}

// Limits on verifies are the client's alone.
func TestVerifyLimits(t *testing.T) {
	t.Parallel()
	for kind, wide := range map[string]bool{"ip": false, "ip_net": true, "app": true} {
		r := newRig(t, setup{policy: with("limits: [{name: two, by: [" + kind + "], limit: 2, window: 1m, on: verify}]")})
		sent := r.send(ask(alice))
		r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
		r.verifies("0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69", "123456", sms.ErrNotFound) // counts as well
		_, err := r.submit(sent.SMSID, r.codeOf(alice))
		var denied *throttle.Denied
		if !errors.As(err, &denied) || denied.RetryAfter != time.Minute {
			t.Errorf("%s: %v, want a refusal", kind, err)
		}
		neighbour := sms.VerifyRequest{SMSID: sent.SMSID, Code: r.codeOf(alice), Client: must(addressIn("203.0.113.99"))}
		if _, err := r.Verify(r.ctx(), neighbour); (err == nil) == wide {
			t.Errorf("%s: a neighbour's verify: %v", kind, err)
		}
	}
}

// A scene's limits on verifies bind whatever scene the client names, or leaves out.
func TestVerifyLimitsOfAScene(t *testing.T) {
	t.Parallel()
	two := with("limits: [{name: two, by: [ip], limit: 2, window: 1m, on: verify}]")
	two += strings.ReplaceAll(strings.SplitN(with(), "scenes:\n", 2)[1], "login", "aaa")
	for _, named := range []string{"", "login", "aaa", "no_such_scene"} {
		r := newRig(t, setup{policy: two})
		sent := r.send(ask(alice))
		v := sms.VerifyRequest{SMSID: sent.SMSID, Code: otherCode(r.codeOf(alice)), Scene: named, Client: home}
		r.verifyRequest(v, incorrect(4))
		r.verifyRequest(v, incorrect(3))
		var denied *throttle.Denied
		if _, err := r.Verify(r.ctx(), v); !errors.As(err, &denied) {
			t.Errorf("scene %q: %v, want a refusal", named, err)
		}
		// Another scene's code does not count there.
		other := r.send(sms.SendRequest{Phone: bob, Scene: "aaa", Client: home})
		for left := 4; left > 0; left-- {
			r.verifyRequest(sms.VerifyRequest{SMSID: other.SMSID, Code: otherCode(r.codeOf(bob)), Scene: "login", Client: home}, incorrect(left))
		}
	}
}

// A live code outlives its scene.
func TestVerifyWhenTheSceneIsGone(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with()})
	sent := r.send(ask(alice))
	r.usePolicy(strings.ReplaceAll(with(), "login", "register"))
	r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
	if v := r.verifies(sent.SMSID, r.codeOf(alice), nil); v.Scene != "login" {
		t.Errorf("verified %+v", v)
	}
}
