package sms_test

import (
	"context"
	"errors"
	"smsd/internal/address"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// onePhoneOneAddress has a limit of one rooted in the phone and one of two in the address.
const onePhoneOneAddress = "limits: [{name: phone-one, by: [phone, scene], limit: 1, window: 1h}, " +
	"{name: source-one, by: [phone, scene, ip_net], limit: 1, window: 1h}, {name: address-two, by: [ip], limit: 2, window: 1h}]"

// OpenWA-plugins PR 119, courier#21 are the rows of what was accepted and then lost: one message, unknown,
// quota kept. The failure table: what each outcome of a gateway gives back, and what it leaves.
func TestGatewayOutcomes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault    string
		want     error
		delivery sms.Delivery
		messages int
		charged  bool // the phone's limits
		address  int  // how often the address is charged
	}{
		{mock.Reject, sms.ErrUndeliverable, "", 0, false, 1},
		{mock.Unavailable, sms.ErrGatewayFailed, "", 0, false, 0},
		{mock.Throttle, nil, "", 0, false, 0}, // a refusal, see below
		{mock.TimeoutBeforeAccept, nil, sms.DeliveryUnknown, 0, true, 1},
		{mock.TimeoutAfterAccept, nil, sms.DeliveryUnknown, 1, true, 1},
		{mock.Malformed, nil, sms.DeliveryUnknown, 1, true, 1},
		{mock.Slow, nil, sms.DeliveryAccepted, 1, true, 1},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, setup{policy: with(onePhoneOneAddress)})
			r.setFault(c.fault, alice, 1, 0)
			sent, err := r.Send(r.ctx(), ask(alice))
			var denied *throttle.Denied
			switch {
			case c.fault == mock.Throttle:
				if !errors.As(err, &denied) || denied.Rule != "carrier" || denied.RetryAfter <= 0 {
					t.Fatalf("send: %v, want the carrier's refusal", err)
				}
			case !errors.Is(err, c.want) || sent.Delivery != c.delivery:
				t.Fatalf("send: %v, %q; want %v, %q", err, sent.Delivery, c.want, c.delivery)
			}
			r.countMessages(alice, c.messages)
			if stored := r.codes.Len(); stored != btoi(c.delivery != "") {
				t.Errorf("%d codes are stored", stored)
			}
			// casdoor 1046, then 1291: what was given back is there at once.
			if c.charged {
				r.refused(ask(alice))
			} else {
				r.send(ask(alice))
			}
			left := 2 - c.address - btoi(!c.charged)
			for range left {
				r.send(ask(bob))
				if err := r.ResetLimits(r.ctx(), "", r.newest(bob).Phone, address.Addr{}); err != nil {
					t.Fatal(err)
				}
			}
			if denied := r.refused(ask(bob)); denied.Rule != "login/address-two" {
				t.Errorf("refused by %q, want the address's limit", denied.Rule)
			}
		})
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// What is unknown can be verified: the message may have arrived.
func TestUnknownDeliveryCanBeVerified(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.setFault(mock.TimeoutAfterAccept, alice, 1, 0)
	sent := r.send(ask(alice))
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
}

// scripted is a gateway that gives the same answer for ever.
type scripted struct{ err error }

func (g scripted) Send(context.Context, gateway.Message) (gateway.Accepted, error) {
	return gateway.Accepted{}, g.err
}

// easy-sms 53, 83: the carrier's own limit is a refusal with a wait, never a failure. The carrier's word for it is for the log.
func TestCarriersOwnLimit(t *testing.T) {
	t.Parallel()
	cause := errors.New("isv.BUSINESS_LIMIT_CONTROL")
	for told, want := range map[time.Duration]time.Duration{0: time.Minute, 90 * time.Second: 90 * time.Second} {
		r := newRig(t, setup{driver: scripted{&gateway.Error{Reason: gateway.Throttled, Sent: gateway.NotSent, RetryAfter: told, Err: cause}}})
		if denied := r.refused(ask(alice)); denied.Rule != "carrier" || denied.RetryAfter != want {
			t.Errorf("told %s: %+v, want %s", told, denied.Decision, want)
		}
		r.metric(`smsd_sends_total{action="send",outcome="carrier_limited",scene="login"} 1`)
		if said := line(r.log.String(), "outcome=carrier_limited"); !strings.Contains(said, "rule=carrier") || !strings.Contains(said, `error="gateway mock: throttled: isv.BUSINESS_LIMIT_CONTROL"`) {
			t.Errorf("the log does not tell of the carrier's limit: %s", said)
		}
	}
}

// An error that is no gateway.Error, or says that the message may have left, is never taken for a failure.
func TestDoubtIsUnknown(t *testing.T) {
	t.Parallel()
	for name, err := range map[string]error{
		"any error":            errors.New("EOF"),
		"maybe a bad number":   &gateway.Error{Reason: gateway.BadNumber},
		"maybe throttled":      &gateway.Error{Reason: gateway.Throttled},
		"nobody knows":         &gateway.Error{Reason: gateway.Ambiguous},
		"a reason not in list": &gateway.Error{Reason: "?"},
	} {
		r := newRig(t, setup{driver: scripted{err}})
		if sent := r.send(ask(alice)); sent.Delivery != sms.DeliveryUnknown {
			t.Errorf("%s: %q", name, sent.Delivery)
		}
		r.refused(ask(alice))
	}
}

func TestOtherFailuresAreTheGateways(t *testing.T) {
	t.Parallel()
	for _, reason := range []gateway.Reason{gateway.Configuration, gateway.Content, gateway.Temporary} {
		r := newRig(t, setup{driver: scripted{&gateway.Error{Reason: reason, Sent: gateway.NotSent}}})
		r.sendFails(ask(alice), sms.ErrGatewayFailed)
		r.sendFails(ask(alice), sms.ErrGatewayFailed) // given back, so not refused
	}
}

// Each message has an id of its own, also where it repeats a code.
func TestMessageIDs(t *testing.T) {
	t.Parallel()
	ids := map[string]bool{}
	r := newRig(t, setup{policy: with(), driver: recorder(func(m gateway.Message) {
		if m.ID == "" || m.ID == m.SMSID || ids[m.ID] {
			t.Errorf("message id %q", m.ID)
		}
		ids[m.ID] = true
	})})
	sent := r.send(ask(alice))
	for range 3 {
		if _, err := r.Resend(r.ctx(), sms.ResendRequest{SMSID: sent.SMSID}); err != nil {
			t.Fatal(err)
		}
	}
	if len(ids) != 4 {
		t.Errorf("%d messages", len(ids))
	}
}

// recorder is a gateway that takes everything and shows it.
type recorder func(gateway.Message)

func (g recorder) Send(_ context.Context, m gateway.Message) (gateway.Accepted, error) {
	g(m)
	return gateway.Accepted{}, nil
}
