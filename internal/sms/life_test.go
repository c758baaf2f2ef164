package sms_test

import (
	"context"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/sms"
)

// A quick gateway: the code ends just when the answer says, which is its lifetime after the send.
func TestCodeEndsWhenTheAnswerSays(t *testing.T) {
	t.Parallel()
	for _, together := range []bool{false, true} {
		for _, early := range []time.Duration{0, time.Millisecond} {
			codeEnds(t, newRig(t, setup{together: together}), early)
		}
	}
}

func codeEnds(t *testing.T, r *rig, early time.Duration) {
	t.Helper()
	sent := r.send(ask(alice))
	if got := sent.ExpiresAt.Sub(r.stores.Now()); got != sent.ExpiresIn || got != 5*time.Minute {
		t.Fatalf("expires in %s by the clock, %s by the answer", got, sent.ExpiresIn)
	}
	r.pass(sent.ExpiresIn - early)
	want := error(nil)
	if early == 0 {
		want = sms.ErrExpired
	}
	r.verifies(sent.SMSID, r.codeOf(alice), want)
}

// supabase/auth PR 232: with a gateway that takes 4 s, expires_in is true from acceptance on.
func TestSlowGatewayCostsNoLifetime(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		fault    string
		delivery sms.Delivery
	}{
		"accepted": {mock.Slow, sms.DeliveryAccepted},
		"unknown":  {mock.TimeoutAfterAccept, sms.DeliveryUnknown},
	} {
		for _, early := range []time.Duration{0, time.Millisecond} {
			r := newRig(t, setup{together: early == 0})
			r.wall.also = r.stores.Advance // the gateway's time is the stores' too
			r.setFault(c.fault, alice, 1, 4*time.Second)
			sent := r.send(ask(alice))
			if got := sent.ExpiresAt.Sub(r.stores.Now()); got != 5*time.Minute || sent.ExpiresIn != got || sent.Delivery != c.delivery {
				t.Fatalf("%s: %s left by the clock, answer %+v", name, got, sent)
			}
			r.pass(sent.ExpiresIn - early)
			want := error(nil)
			if early == 0 {
				want = sms.ErrExpired
			}
			r.verifies(sent.SMSID, r.codeOf(alice), want)
		}
	}
}

// Where the end can't be moved, the answer tells the one that is stored.
func TestEndThatCannotBeMoved(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{codes: func(c sms.Codes) sms.Codes { return &failing{Codes: c, amend: true} }})
	r.wall.also = r.stores.Advance
	r.setFault(mock.Slow, alice, 1, 3500*time.Millisecond)
	sent := r.send(ask(alice))
	if sent.ExpiresIn != 296*time.Second || sent.ExpiresAt.Sub(r.stores.Now()) != 296500*time.Millisecond {
		t.Errorf("answer %+v", sent)
	}
	r.pass(sent.ExpiresIn)
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
	r.metric(`smsd_failed_steps_total{step="extend"} 1`)
}

// What the store takes to fail is no longer left.
func TestEndThatCannotBeMovedInTime(t *testing.T) {
	t.Parallel()
	var r *rig
	r = newRig(t, setup{codes: func(c sms.Codes) sms.Codes { return &sluggish{c, func() { r.pass(700 * time.Millisecond) }} }})
	r.wall.also = r.stores.Advance
	r.setFault(mock.Slow, alice, 1, 3500*time.Millisecond)
	if sent := r.send(ask(alice)); sent.ExpiresIn != 295*time.Second || sent.ExpiresAt.Sub(r.stores.Now()) != 295800*time.Millisecond {
		t.Errorf("answer %+v", sent)
	}
}

// sluggish is a store that takes its time to fail.
type sluggish struct {
	sms.Codes
	pass func()
}

func (s *sluggish) Amend(context.Context, string, sms.Amendment) error {
	s.pass()
	return sms.ErrUnavailable
}

// An ended verification is told apart for ten minutes after its end.
func TestEndsAreToldApart(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with()})
	used, wrong, expired := r.send(ask(alice)), r.send(ask(bob)), r.send(ask("+12025550100"))
	r.verifies(used.SMSID, r.codeOf(alice), nil)
	code := r.codeOf(bob)
	for left := 4; left >= 0; left-- {
		r.verifies(wrong.SMSID, otherCode(code), incorrect(left))
	}
	check := func() {
		t.Helper()
		r.verifies(used.SMSID, r.codeOf(alice), sms.ErrUsed)
		r.verifies(wrong.SMSID, code, sms.ErrAttemptsExhausted)
	}
	check()
	r.pass(5 * time.Minute)
	check()
	r.verifies(expired.SMSID, r.codeOf("+12025550100"), sms.ErrExpired)
	r.pass(10*time.Minute - time.Millisecond)
	check()
	r.verifies(expired.SMSID, r.codeOf("+12025550100"), sms.ErrExpired)
	r.pass(time.Millisecond)
	for _, sent := range []sms.Sent{used, wrong, expired} {
		r.verifies(sent.SMSID, "123456", sms.ErrNotFound)
	}
}

// failing is a store of which some calls fail.
type failing struct {
	sms.Codes
	put, get, verify, amend, remove bool
}

func (f *failing) Put(ctx context.Context, id string, n sms.NewRecord) (time.Time, error) {
	if f.put {
		return time.Time{}, sms.ErrUnavailable
	}
	return f.Codes.Put(ctx, id, n)
}

func (f *failing) Get(ctx context.Context, id string) (sms.Record, error) {
	if f.get {
		return sms.Record{}, sms.ErrUnavailable
	}
	return f.Codes.Get(ctx, id)
}

func (f *failing) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	if f.verify {
		return sms.Record{}, sms.ErrUnavailable
	}
	return f.Codes.Verify(ctx, id, g)
}

func (f *failing) Amend(ctx context.Context, id string, a sms.Amendment) error {
	if f.amend {
		return sms.ErrUnavailable
	}
	return f.Codes.Amend(ctx, id, a)
}

func (f *failing) Delete(ctx context.Context, id string) error {
	if f.remove {
		return sms.ErrUnavailable
	}
	return f.Codes.Delete(ctx, id)
}
