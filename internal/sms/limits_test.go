package sms_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"smsd/internal/address"
	"smsd/internal/phone"
	"smsd/internal/sms"
)

// openwisp-radius PR 790, care PR 3630: one more than the limit in parallel is one too many.
func TestHundredParallelSends(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("limits: [{name: five, by: [phone], limit: 5, window: 1h}]")})
	tally := inParallel(100, func(int) error {
		_, err := r.Send(r.ctx(), ask(alice))
		return err
	})
	if tally["success"] != 5 || tally["refused"] != 95 {
		t.Errorf("outcomes %v", tally)
	}
	r.countMessages(alice, 5)
	if r.codes.Len() != 5 {
		t.Errorf("%d codes for 5 messages", r.codes.Len())
	}
}

// wso2 product-is 27963, fxa PR 18419: whatever else is new about a request, the number is counted; and
// it is the send that is refused, not the verify.
func TestLimitsFollowTheNumber(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	first := r.send(ask(alice))
	code := r.codeOf(alice)
	for i := range 5 {
		q := ask(alice)
		q.DeviceID, q.Locale, q.Client = fmt.Sprint("device ", i), "zh", cafe
		if denied := r.refused(q); denied.RetryAfter != time.Minute {
			t.Errorf("retry after %s", denied.RetryAfter)
		}
	}
	r.verifies(first.SMSID, code, nil)
}

func TestEverySubjectIsCounted(t *testing.T) {
	t.Parallel()
	for kind, others := range map[string]sms.SendRequest{
		"phone":   {Phone: alice, DeviceID: "other", Client: cafe, App: "default"},
		"ip":      {Phone: bob, DeviceID: "other", Client: home},
		"ip_net":  {Phone: bob, DeviceID: "other", Client: must(addressIn("203.0.113.99"))},
		"device":  {Phone: bob, DeviceID: "device", Client: cafe},
		"app":     {Phone: bob, DeviceID: "other", Client: cafe},
		"country": {Phone: "+8615912345678", DeviceID: "other", Client: cafe},
		"prefix":  {Phone: "+8613800131234", DeviceID: "other", Client: cafe},
		"scene":   {Phone: bob, DeviceID: "other", Client: cafe},
	} {
		r := newRig(t, setup{policy: with("limits: [{name: one, by: [" + kind + "], limit: 1, window: 1h}]")})
		r.send(sms.SendRequest{Phone: alice, Scene: "login", DeviceID: "device", Client: home})
		others.Scene = "login"
		if denied := r.refused(others); !strings.HasSuffix(denied.Rule, "one") {
			t.Errorf("%s: refused by %q", kind, denied.Rule)
		}
		if kind == "scene" {
			continue
		}
		others.App = "another"
		if kind == "app" || kind == "ip" || kind == "ip_net" { // every subject is an app's own
			r.send(others)
		}
	}
}

func TestResetLimits(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.send(ask(alice))
	r.refused(ask(alice))
	if err := r.ResetLimits(r.ctx(), "", phone.MustParse(alice), address.Addr{}); err != nil {
		t.Fatal(err)
	}
	r.send(ask(alice))
}

// A suite that sends to many numbers from one machine runs into the limits of the machine and of the block
// of numbers: those can be emptied too.
func TestResetLimitsOfBlockAndClient(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{})
	r.usePolicy("limits:\n  - {name: range, by: [prefix], limit: 1, window: 1h}\n  - {name: machine, by: [ip], limit: 2, window: 1h}\n" +
		"scenes: {login: {templates: {en: '{{.Code}}'}}}\n")
	neighbour := alice[:len(alice)-1] + "9"
	r.send(ask(alice))
	r.refused(ask(neighbour))
	reset := func(number phone.Number, client address.Addr) {
		t.Helper()
		if err := r.ResetLimits(r.ctx(), "", number, client); err != nil {
			t.Fatal(err)
		}
	}
	reset(phone.MustParse(alice), address.Addr{})
	r.send(ask(neighbour))
	reset(phone.MustParse(alice), address.Addr{})
	r.refused(ask(alice)) // the machine's
	reset(phone.Number{}, home)
	r.send(ask(alice))
}
