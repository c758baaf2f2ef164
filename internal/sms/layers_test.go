package sms_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"smsd/internal/address"
	"smsd/internal/phone"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// counted is a counters' store that counts what is taken of it.
type counted struct {
	throttle.Store
	takes int
}

func (c *counted) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	c.takes++
	return c.Store.Take(ctx, t)
}

// narrow is a rig whose addresses get one token a second, and ten at once.
func narrow(t testing.TB, text string) (*rig, *counted) {
	store := &counted{}
	return newRig(t, setup{
		policy:   text,
		local:    throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1, IPBurst: 10},
		counters: func(s throttle.Store) throttle.Store { store.Store = s; return store },
	}), store
}

// A flood after a send is told the cooldown's wait, whichever layer refuses; it costs no trip to the counters, and
// its address no token.
func TestFloodIsToldTheTruth(t *testing.T) {
	t.Parallel()
	r, store := narrow(t, "")
	r.send(ask(alice))
	for range 500 {
		if d := r.refused(ask(alice)); d.RetryAfter != time.Minute || d.Rule != "login/cooldown" {
			t.Fatalf("%+v", d.Decision)
		}
	}
	if store.takes != 1 {
		t.Errorf("the counters were asked %d times, want once, by the send", store.takes)
	}
	for range 9 {
		r.sendFails(sms.SendRequest{Client: home}, field("/scene", "required")) // what is left of ten tokens
	}
	// Without a token, with the refusal more than two seconds old.
	r.pass(5 * time.Second)
	for range 5 {
		r.sendFails(sms.SendRequest{Client: home}, field("/scene", "required"))
	}
	if d := r.refused(sms.SendRequest{Client: home}); d.Rule != throttle.LocalAddress || d.RetryAfter > 2*time.Second {
		t.Errorf("what is malformed: %+v", d.Decision)
	}
	if d := r.refused(ask(alice)); d.RetryAfter != 55*time.Second || store.takes != 1 {
		t.Errorf("%+v after %d", d.Decision, store.takes)
	}
	r.pass(55 * time.Second)
	r.send(ask(alice))
}

// A number's wait is told to another address too, whose tokens are spent.
func TestFloodFromAnotherAddressIsToldTheTruth(t *testing.T) {
	t.Parallel()
	r, store := narrow(t, "")
	r.send(ask(alice))
	for range 10 {
		r.sendFails(sms.SendRequest{Client: cafe}, field("/scene", "required"))
	}
	q := ask(alice)
	q.Client = cafe
	if d := r.refused(q); d.RetryAfter != time.Minute || store.takes != 1 {
		t.Errorf("%+v after %d", d.Decision, store.takes)
	}
}

// Somebody behind a shared address floods it with verifies: the others there are told how long the rules on it refuse, whichever
// layer does, and not the moment until it may ask again.
func TestFloodOfVerifiesIsToldTheTruth(t *testing.T) {
	t.Parallel()
	for _, by := range []string{"[ip]", "[ip, scene]"} {
		r, _ := narrow(t, with("limits: [{name: two, by: "+by+", limit: 2, window: 1m, on: verify}]"))
		try := sms.VerifyRequest{SMSID: r.send(ask(alice)).SMSID, Code: "12345", Scene: "login", Client: home} // a digit too few: free
		for range 8 {
			r.verifyRequest(try, field("/code", "invalid"))
		}
		try.Code = otherCode(r.codeOf(alice))
		r.verifyRequest(try, incorrect(4))
		r.verifyRequest(try, incorrect(3))
		r.pass(3 * time.Second) // three tokens
		for i := range 10 {
			_, err := r.Verify(r.ctx(), try)
			if d, refused := errors.AsType[*throttle.Denied](err); !refused || d.RetryAfter != 57*time.Second {
				t.Fatalf("%s: the %d. of the flood: %v", by, i, err)
			}
		}
	}
}

// What the counters refuse costs a token: who asks for one number after another has no more trips than others.
func TestRefusedTripsCostTokens(t *testing.T) {
	t.Parallel()
	r, store := narrow(t, with("limits: [{name: one, by: [ip], limit: 1, window: 1h}, {name: two, by: [phone], limit: 2, window: 1h}]", "\nlocal_block: 0s"))
	for n := range 500 {
		q := ask(fmt.Sprintf("+86138001%05d", n))
		if _, err := r.Send(r.ctx(), q); (err == nil) != (n == 0) {
			t.Fatal(err)
		}
	}
	if store.takes != 10 {
		t.Errorf("the counters were asked %d times, want 10, once a token", store.takes)
	}
	if d := r.refused(ask(alice)); d.RetryAfter != time.Hour {
		t.Errorf("%+v", d.Decision)
	}
}

// Who asks for one number after another costs five trips in each block, and what a block refuses takes no token, a
// resend too.
func TestABlockedAddressCostsNoTrips(t *testing.T) {
	t.Parallel()
	r, store := narrow(t, with("limits: [{name: one, by: [ip], limit: 1, window: 30s}, {name: two, by: [phone], limit: 2, window: 1h}]", "\nlocal_block: 40s"))
	sent := r.send(ask(alice))
	for n := range 500 {
		d := r.refused(ask(fmt.Sprintf("+86138001%05d", n)))
		if want := 40 * time.Second; n >= 4 && (d.RetryAfter != want || d.Rule != throttle.LocalBlock) {
			t.Fatalf("%d: %+v", n, d.Decision)
		}
	}
	for range 20 {
		_, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: sent.SMSID, Client: home})
		var d *throttle.Denied
		if !errors.As(err, &d) || d.RetryAfter != 40*time.Second {
			t.Fatalf("resend: %v", err)
		}
	}
	if store.takes != 6 {
		t.Errorf("the counters were asked %d times, want 6", store.takes)
	}
	if log := r.log.String(); !strings.Contains(log, "rule=local-block") || !strings.Contains(log, "request_id=request-1") {
		t.Errorf("not in the log:\n%s", log)
	}
	q := ask(bob)
	q.Client = cafe
	r.send(q)
	for range 4 { // ten tokens, of which six are spent
		r.sendFails(sms.SendRequest{Client: home}, field("/scene", "required"))
	}
	r.pass(40 * time.Second)
	r.resend(sent.SMSID)
}

// ezauth#196, identity-idp#2388: an address that is blocked, with a number that has been used up from elsewhere: the
// owner's live code still verifies.
func TestABlockedAddressVerifies(t *testing.T) {
	t.Parallel()
	r, _ := narrow(t, with("limits: [{name: one, by: [ip], limit: 1, window: 1h}, {name: two, by: [phone], limit: 2, window: 1h}]"))
	sent := r.send(ask(alice))
	for n := range 20 {
		r.refused(ask(fmt.Sprintf("+86138001%05d", n)))
	}
	stranger := ask(alice)
	stranger.Client = cafe
	r.send(stranger)
	r.refused(stranger)
	r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
	first := r.messages(alice)
	r.verifies(sent.SMSID, first[len(first)-1].Code.Reveal(), nil)
}

// Nobody behind an address is blocked because others there press "send again".
func TestACampusIsNotBlocked(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	for n := range 20 {
		q := ask(fmt.Sprintf("+86138001380%02d", n))
		r.send(q)
		for range 10 {
			if d := r.refused(q); d.Rule != "login/cooldown" {
				t.Fatalf("%+v", d.Decision)
			}
		}
	}
}

// A refusal that is over sooner than the address has a token again is told as long as that: by the counters, and by
// the deny cache after them.
func TestRefusalWithoutATokenLeft(t *testing.T) {
	t.Parallel()
	r, store := narrow(t, "")
	r.send(ask(alice))
	r.pass(59500 * time.Millisecond)
	for range 9 {
		r.sendFails(sms.SendRequest{Client: home}, field("/scene", "required"))
	}
	for range 2 {
		d := r.refused(ask(alice))
		if d.Rule != throttle.LocalAddress || d.RetryAfter < time.Second || store.takes != 2 {
			t.Errorf("%+v after %d", d.Decision, store.takes)
		}
	}
	r.pass(1001 * time.Millisecond)
	r.send(ask(alice))
}

// A resend is told the truth before it is known whose number it is for.
func TestResendsAreToldTheTruth(t *testing.T) {
	t.Parallel()
	r, store := narrow(t, "")
	sent := r.send(ask(alice))
	for range 50 {
		_, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: sent.SMSID, Client: home})
		var d *throttle.Denied
		if !errors.As(err, &d) || d.RetryAfter != time.Minute {
			t.Fatalf("resend: %v", err)
		}
	}
	if store.takes != 1 {
		t.Errorf("the counters were asked %d times, want once, by the send", store.takes)
	}
	if _, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: "x", Client: home}); err == nil || errors.Is(err, sms.ErrNotFound) {
		t.Errorf("a resend of nothing, without a token: %v", err)
	}
	r.pass(time.Minute)
	r.resend(sent.SMSID)
}

// envoy#1077, #1230: what the gateway's failure gives back, the next send finds.
func TestGivenBackIsNotDenied(t *testing.T) {
	t.Parallel()
	r, store := narrow(t, "")
	r.setFault("unavailable", alice, 2, 0)
	for range 2 {
		r.sendFails(ask(alice), sms.ErrGatewayFailed)
	}
	r.send(ask(alice))
	r.refused(ask(alice))
	if err := r.ResetLimits(r.ctx(), "", phone.MustParse(alice), address.Addr{}); err != nil {
		t.Fatal(err)
	}
	r.send(ask(alice))
	if store.takes != 4 {
		t.Errorf("the counters were asked %d times, want 4", store.takes)
	}
	r.refused(ask(alice))
	r.usePolicy(with("limits: [{name: all, by: [phone], limit: 100, window: 1h}]"))
	r.send(ask(alice))
}

// Whatever came before, whichever layer refuses: who waits as long as told, while nobody else asks, passes.
func TestWaitingIsEnough(t *testing.T) {
	t.Parallel()
	blocking := with("limits: [{name: address, by: [ip], limit: 2, window: 20s}, {name: cooldown, by: [phone], limit: 1, window: 50s}]",
		"\n  register: {templates: {en: \"{{.Code}}\"}}", "\nlocal_block: 40s")
	rapid.Check(t, func(rt *rapid.T) {
		r, _ := narrow(t, rapid.SampledFrom([]string{"", blocking}).Draw(rt, "policy"))
		draw := func() sms.SendRequest {
			q := ask(rapid.SampledFrom([]string{alice, bob}).Draw(rt, "phone"))
			q.Client = rapid.SampledFrom([]address.Addr{home, cafe}).Draw(rt, "client")
			q.Scene = rapid.SampledFrom([]string{"login", "register"}).Draw(rt, "scene")
			return q
		}
		for range rapid.IntRange(1, 30).Draw(rt, "steps") {
			switch rapid.IntRange(0, 4).Draw(rt, "step") {
			case 0: // malformed ones, which take tokens
				for range rapid.IntRange(1, 15).Draw(rt, "malformed") {
					_, _ = r.Send(r.ctx(), sms.SendRequest{Client: home})
				}
			case 1:
				r.pass(time.Duration(rapid.Int64Range(1, 70_000).Draw(rt, "ms")) * time.Millisecond)
			default:
				q := draw()
				var denied *throttle.Denied
				for range rapid.IntRange(1, 20).Draw(rt, "times") {
					_, err := r.Send(r.ctx(), q)
					if !errors.As(err, &denied) && err != nil {
						rt.Fatal(err)
					}
				}
				if denied == nil || !rapid.Bool().Draw(rt, "wait") {
					continue
				}
				_, err := r.Send(r.ctx(), q)
				if !errors.As(err, &denied) {
					continue
				}
				r.pass(denied.RetryAfter)
				if _, err := r.Send(r.ctx(), q); err != nil {
					rt.Fatalf("after %s, told by %s: %v", denied.RetryAfter, denied.Rule, err)
				}
			}
		}
	})
}
