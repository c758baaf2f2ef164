package httpapi

import (
	"net/http"
	"testing"
	"time"

	"smsd/internal/policy"
	"smsd/internal/sms"
)

func parsed(t *testing.T, text string) *sms.Policy {
	t.Helper()
	p, _, err := policy.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// A scene that requires a device says so, at the field.
func TestRequiredDevice(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) {
		s.policy = parsed(t, `
limits: [{name: device, by: [device], limit: 1, window: 1h}]
scenes: {login: {code: {length: 6, ttl: 5m, attempts: 5}, countries: ["*"], number_types: [mobile], require: [device], templates: {en: "{{.Code}}"}}}
`)
	})
	for _, body := range []string{`{"phone":"+8613800138000","scene":"login"}`, `{"phone":"+8613800138000","scene":"login","device_id":""}`} {
		r := a.send(body)
		a.want(r, 400, "invalid_request")
		if got, _ := r.field("errors").([]any); len(got) != 1 || got[0].(map[string]any)["pointer"] != "/device_id" {
			t.Errorf("errors %v", r.field("errors"))
		}
	}
	a.want(a.send(`{"phone":"+8613800138000","scene":"login","device_id":"d1"}`), 200, "")
	a.want(a.send(`{"phone":"+8613900139000","scene":"login","device_id":"d1"}`), 429, "rate_limited")
	a.want(a.send(`{"phone":"+8613900139000","scene":"login","device_id":"d2"}`), 200, "")
}

// better-auth 541, rallly PR 2439: where the policy says rotate, a resend replaces the code.
func TestRotatingResend(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) {
		s.policy = parsed(t, `
limits: [{name: phone-hour, by: [phone], limit: 5, window: 1h}]
scenes: {login: {code: {length: 10, ttl: 5m, attempts: 5}, resend: rotate, countries: ["*"], number_types: [mobile], templates: {en: "{{.Code}}"}}}
`)
	})
	id, old := a.sent(alice)
	a.clock.Advance(time.Second)
	if r := a.resend(id); r.status != http.StatusOK || r.number("attempts") != 5 {
		t.Fatalf("resend: %d %s", r.status, r.body)
	}
	a.want(a.verify(id, old), 422, "code_incorrect")
	a.want(a.verify(id, a.code(id)), 200, "")
}

// An sms_id that never was, or is none at all.
func TestUnknownVerification(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, id := range []string{"6f9619ff-8b86-4011-b42d-00c04fc964ff", "x", "a{b}c", "../../etc/passwd", "6F9619FF8B864011B42D00C04FC964FF"} {
		a.want(a.verify(id, "123456"), 404, "verification_not_found")
		a.want(a.resend(id), 404, "verification_not_found")
	}
	a.want(a.verify("", "123456"), 400, "invalid_request")
	a.want(a.verify("a\u0000b", "123456"), 400, "invalid_request")
}

// Ended verifications are told apart for ten minutes, then they are as if they never were.
func TestEndedAreToldApart(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	used, usedCode := a.sent(alice)
	a.verify(used, usedCode)
	expired, expiredCode := a.sent("+8613900139000")
	a.clock.Advance(5 * time.Minute)
	a.clock.Advance(10*time.Minute - time.Second)
	a.want(a.verify(used, usedCode), 410, "code_used")
	a.want(a.verify(expired, expiredCode), 410, "code_expired")
	a.want(a.resend(used), 410, "code_used")
	a.want(a.resend(expired), 410, "code_expired")
	a.clock.Advance(time.Hour)
	a.want(a.verify(used, usedCode), 404, "verification_not_found")
}
