package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

const alice = "+8613800138000"

func TestSendVerify(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	sent := a.send(`{"phone":"+8613800138000","scene":"login","locale":"zh-CN","device_id":"d1"}`)
	if sent.status != http.StatusOK {
		t.Fatalf("send: %d %s", sent.status, sent.body)
	}
	for field, want := range map[string]int{"code_length": 6, "attempts": 5, "expires_in": 300, "resend_in": 60} {
		if got := sent.number(field); got != want {
			t.Errorf("%s is %d, want %d", field, got, want)
		}
	}
	for field, want := range map[string]string{"scene": "login", "phone": "+86 138****8000", "delivery": "accepted", "expires_at": "2026-11-30T06:05:00Z"} {
		if got := sent.text(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	id := sent.text("sms_id")
	verified := a.verify(id, a.code(id))
	if verified.status != http.StatusOK || verified.field("verified") != true || verified.text("phone") != alice ||
		verified.text("scene") != "login" || verified.text("sms_id") != id || verified.text("verified_at") != "2026-11-30T06:00:00Z" {
		t.Errorf("verify: %d %s", verified.status, verified.body)
	}
	a.want(a.verify(id, a.code(id)), 410, "code_used")
}

func TestHeadersOfAnAnswer(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	r := a.sendTo(alice)
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
		"Ratelimit-Policy": `"phone-hour";q=5;w=3600`,
		"Ratelimit":        `"login/cooldown";r=0;t=60`,
	} {
		if got := r.header.Get(name); !strings.Contains(got, want) {
			t.Errorf("%s is %q, want %q in it", name, got, want)
		}
	}
	production := newAPI(t, func(s *setup) { s.http.Dev = false })
	const origin = "https://shop.example"
	page := []string{"Authorization", "Bearer " + production.keys.Publishable("shop", origin), "Origin", origin}
	if r := production.post("/api/v1/sms/send", `{"phone":"+8613800138000","scene":"login"}`, page...); r.status != http.StatusOK || r.header.Get("Ratelimit") != "" || r.header.Get("Ratelimit-Policy") != "" {
		t.Errorf("production tells a page its limits: %d %v", r.status, r.header)
	}
}

func TestResend(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	a.want(a.resend(id), 429, "rate_limited")
	a.clock.Advance(time.Minute)
	again := a.resend(id)
	if again.status != http.StatusOK || again.text("sms_id") != id || a.code(id) != code {
		t.Fatalf("resend: %d %s", again.status, again.body)
	}
	if got := again.text("expires_at"); got != "2026-11-30T06:05:00Z" || again.number("expires_in") < 238 || again.number("expires_in") > 240 {
		t.Errorf("the expiry moved: %s", again.body)
	}
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("verify: %d %s", r.status, r.body)
	}
}

// activepieces PR 14751: a throttled resend never answers "sent" without a message.
func TestThrottledResendIsRefused(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, _ := a.sent(alice)
	r := a.resend(id)
	a.want(r, 429, "rate_limited")
	if n := len(a.messages()); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	if r.header.Get("Retry-After") != "60" || r.number("retry_after") != 60 {
		t.Errorf("Retry-After %q, body %s", r.header.Get("Retry-After"), r.body)
	}
}

// tower-governor#65: waiting retry_after is enough, and a millisecond less than the window is not.
func TestRetryAfterIsTrue(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent(alice)
	a.clock.Advance(59800 * time.Millisecond)
	r := a.sendTo(alice)
	a.want(r, 429, "rate_limited")
	if r.number("retry_after") != 1 || r.header.Get("Retry-After") != "1" {
		t.Errorf("with 200 ms left: retry_after %d, Retry-After %q", r.number("retry_after"), r.header.Get("Retry-After"))
	}
	a.clock.Advance(199 * time.Millisecond)
	a.want(a.sendTo(alice), 429, "rate_limited")
	a.clock.Advance(time.Millisecond)
	a.sent(alice)
}
