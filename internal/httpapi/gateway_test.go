package httpapi

import (
	"net/http"
	"testing"
	"time"
)

func (a *api) setFault(fault, phone string) {
	a.Helper()
	r := a.operate("PUT", "/mock/faults", `{"fault":`+quote(fault)+`,"phone":`+quote(phone)+`,"times":1}`)
	if r.status != http.StatusNoContent {
		a.Fatalf("fault: %d %s", r.status, r.body)
	}
}

// What each fault makes the client get, and how many messages.
func TestFaultTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		fault          string
		status         int
		code, delivery string
		messages       int
	}{
		{"reject", 422, "undeliverable", "", 0},
		{"throttle", 429, "rate_limited", "", 0},
		{"unavailable", 502, "gateway_failed", "", 0},
		{"timeout_before_accept", 200, "", "unknown", 0},
		{"timeout_after_accept", 200, "", "unknown", 1},
		{"malformed", 200, "", "unknown", 1},
	} {
		t.Run(c.fault, func(t *testing.T) {
			t.Parallel()
			a := newAPI(t)
			a.setFault(c.fault, "")
			r := a.sendTo(alice)
			if r.status != c.status || r.code() != c.code || r.text("delivery") != c.delivery || len(a.messages()) != c.messages {
				t.Errorf("%d %q, delivery %q, %d messages; want %d %q, %q, %d: %s", r.status, r.code(), r.text("delivery"), len(a.messages()),
					c.status, c.code, c.delivery, c.messages, r.body)
			}
		})
	}
}

// casdoor 1046, then 1291: what failed costs nothing, so the second send is tried at once.
func TestFailedSendGivesQuotaBack(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, fault := range []string{"unavailable", "throttle", "reject"} {
		a.setFault(fault, alice)
		if r := a.sendTo(alice); r.status == http.StatusOK {
			t.Fatalf("%s: %d %s", fault, r.status, r.body)
		}
	}
	a.sent(alice)
}

// OpenWA-plugins PR 119, courier#21: accepted, and the answer is lost: one message, the quota kept, and the
// code that went out works.
func TestLostAnswerOfTheGateway(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.setFault("timeout_after_accept", alice)
	id, code := a.sent(alice)
	a.want(a.sendTo(alice), 429, "rate_limited")
	if r := a.verify(id, code); r.status != http.StatusOK || len(a.messages()) != 1 {
		t.Errorf("verify: %d %s, %d messages", r.status, r.body, len(a.messages()))
	}
}

// easy-sms 53, 83: the carrier's own limit is a 429 with the carrier's wait.
func TestCarriersOwnLimit(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.setFault("throttle", alice)
	r := a.sendTo(alice)
	a.want(r, 429, "rate_limited")
	if r.number("retry_after") < 1 || r.header.Get("Retry-After") == "" {
		t.Errorf("no wait: %v %s", r.header, r.body)
	}
}

// A resend that fails leaves the code that is out as it was.
func TestFailedResendHarmsNothing(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	a.clock.Advance(time.Minute)
	a.setFault("unavailable", alice)
	a.want(a.resend(id), 502, "gateway_failed")
	a.setFault("reject", alice)
	a.want(a.resend(id), 422, "undeliverable")
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("verify: %d %s", r.status, r.body)
	}
}
