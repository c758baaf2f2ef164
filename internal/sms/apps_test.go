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

const appsTop = `
limits:
  - {name: hour, by: [phone], limit: 2, window: 1h}
  - {name: total, by: [], limit: 6, window: 1h}
scenes:
  login: {countries: [CN, GB], templates: {en: "{{.Code}}"}}
test_numbers: [{phone: "+8613800000000", code: "482915", until: 2126-06-30}]
block: [{phone: "+8613900000000", reason: "for everyone"}]
`

const appsSections = `
apps:
  shop:
    limits:
      - {name: hour, by: [phone], limit: 3, window: 1h}
      - {name: tries, by: [app], limit: 2, window: 1m, on: verify}
    scenes:
      login: {code: {length: 8}, countries: [CN], templates: {en: "{{.Code}}"}}
      checkout: {code: {length: 4, attempts: 2}, countries: [CN], templates: {en: "{{.Code}}"}}
    test_numbers: []
    block: [{phone: "+8613900000001", reason: "for shop"}]
  kiosk: {local_block: 5s}
`

func from(app, number, scene string) sms.SendRequest {
	return sms.SendRequest{App: app, Phone: number, Scene: scene, Client: home}
}

// Each app is served on its own terms; what one lacks a section for it has from the top.
func TestEveryAppHasItsOwnTerms(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: appsTop + appsSections})
	for app, digits := range map[string]int{"": 6, "default": 6, "nobody": 6, "kiosk": 6, "shop": 8} {
		if sent := r.send(from(app, alice, "login")); sent.CodeLength != digits {
			t.Errorf("%q: a code of %d digits, want %d", app, sent.CodeLength, digits)
		}
	}
	if sent := r.send(from("shop", alice, "checkout")); sent.CodeLength != 4 || sent.Attempts != 2 {
		t.Errorf("checkout: %+v", sent)
	}
	r.sendFails(from("kiosk", alice, "checkout"), sms.ErrUnknownScene)
	r.sendFails(from("shop", bob, "login"), sms.ErrDestinationNotAllowed)
}

func TestBlocksAndTestNumbersOfApps(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: appsTop + appsSections})
	for _, app := range []string{"", "kiosk", "shop"} {
		r.sendFails(from(app, "+8613900000000", "login"), sms.ErrBlocked)
	}
	r.sendFails(from("shop", "+8613900000001", "login"), sms.ErrBlocked)
	r.send(from("", "+8613900000001", "login"))
	r.send(from("kiosk", "+8613800000000", "login"))
	r.countMessages("+8613800000000", 0)
	r.send(from("shop", "+8613800000000", "login")) // which has no test numbers
	r.countMessages("+8613800000000", 1)
}

// A number that has used up what one app allows it has not touched what another one does; what counts over all apps does,
// in whatever section it was charged.
func TestAppsAreCountedApart(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: appsTop + appsSections})
	for app, limit := range map[string]int{"": 2, "shop": 3} {
		for range limit {
			r.send(from(app, alice, "login"))
		}
		if denied := r.refused(from(app, alice, "login")); denied.Rule != "hour" || denied.Limit != int64(limit) {
			t.Errorf("%q: refused by %+v", app, denied.Decision)
		}
	}
	r.send(from("kiosk", alice, "login"))
	if log := r.log.String(); !strings.Contains(log, "app=shop") || strings.Contains(log, "app=default") {
		t.Errorf("the log says whose rule refused, if it is not the default app's:\n%s", log)
	}
	for _, app := range []string{"shop", "kiosk", "nobody"} {
		if denied := r.refused(from(app, "+8613800138001", "login")); denied.Rule != "total" || denied.Used != 6 {
			t.Errorf("%q: refused by %+v", app, denied.Decision)
		}
	}
}

// A resend and a verify go by the terms of the app that asks, which is the one that sent.
func TestResendAndVerifyGoByTheAppsTerms(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: appsTop + appsSections})
	sent := r.send(from("shop", alice, "checkout"))
	for range 2 {
		if _, err := r.Resend(r.ctx(), sms.ResendRequest{App: "shop", SMSID: sent.SMSID, Client: home}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := r.Resend(r.ctx(), sms.ResendRequest{App: "shop", SMSID: sent.SMSID, Client: home}); err == nil || !strings.Contains(err.Error(), "hour") {
		t.Errorf("the fourth message: %v", err)
	}
	guess := sms.VerifyRequest{App: "shop", SMSID: sent.SMSID, Code: otherCode(r.codeOf(alice)), Client: home}
	r.verifyRequest(guess, incorrect(1))
	guess.Code = r.codeOf(alice)
	r.verifyRequest(guess, nil)
	if _, err := r.Verify(r.ctx(), guess); err == nil || !strings.Contains(err.Error(), "tries") {
		t.Errorf("the third verify of the app: %v", err)
	}
}

// Another app's code is as if it were not there: it can neither be used, nor be used up, nor be sent again.
func TestAnAppSeesNoCodeOfAnother(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: appsTop + appsSections})
	sent := r.send(from("shop", alice, "login"))
	code := r.codeOf(alice)
	for _, app := range []string{"", "kiosk", "nobody"} {
		for range 6 {
			r.verifyRequest(sms.VerifyRequest{App: app, SMSID: sent.SMSID, Code: code, Client: home}, sms.ErrNotFound)
		}
		_, err := r.Resend(r.ctx(), sms.ResendRequest{App: app, SMSID: sent.SMSID, Client: home})
		sameError(t, "resend", err, sms.ErrNotFound)
	}
	r.verifyRequest(sms.VerifyRequest{App: "shop", SMSID: sent.SMSID, Code: code, Client: home}, nil)
}

// A section that comes, changes or goes changes what is allowed, and nothing of what was counted.
func TestReloadedSectionsKeepCounts(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: appsTop})
	section := func(limit int) string {
		return fmt.Sprintf(appsTop+"apps:\n  shop: {limits: [{name: hour, by: [phone], limit: %d, window: 1h}]}\n", limit)
	}
	send := func(times int) {
		t.Helper()
		for range times {
			r.send(from("shop", alice, "login"))
		}
		if denied := r.refused(from("shop", alice, "login")); denied.Rule != "hour" {
			t.Errorf("refused by %+v", denied.Decision)
		}
	}
	send(2)
	r.usePolicy(section(4))
	send(2)
	r.usePolicy(section(3))
	send(0)
	r.usePolicy(section(5))
	send(1)
	r.usePolicy(appsTop)
	send(0)
	r.send(from("", alice, "login")) // the sixth over all apps
	if denied := r.refused(from("", alice, "login")); denied.Rule != "total" || denied.Used != 6 {
		t.Errorf("refused by %+v", denied.Decision)
	}
}

// A reset empties the counters of the one app.
func TestResetLimitsOfAnApp(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: appsTop})
	for _, app := range []string{"shop", "kiosk"} {
		r.send(from(app, alice, "login"))
		r.send(from(app, alice, "login"))
	}
	if err := r.ResetLimits(r.ctx(), "shop", phone.MustParse(alice), address.Addr{}); err != nil {
		t.Fatal(err)
	}
	r.send(from("shop", alice, "login"))
	r.refused(from("kiosk", alice, "login"))
	r.pass(time.Hour)
	r.send(from("kiosk", alice, "login"))
}
