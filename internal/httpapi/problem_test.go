package httpapi

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// The table as the contract has it, in the order of its codes, and what the admin listener adds.
var contractCodes = map[string]int{
	"invalid_request": 400, "unauthorized": 401, "destination_not_allowed": 403, "blocked": 403, "forbidden": 403,
	"verification_not_found": 404, "not_found": 404, "method_not_allowed": 405, "clock_not_movable": 409,
	"code_expired": 410, "code_used": 410, "attempts_exhausted": 410, "body_too_large": 413,
	"unsupported_media_type": 415, "invalid_phone": 422, "unknown_scene": 422, "code_incorrect": 422,
	"undeliverable": 422, "rate_limited": 429, "internal": 500, "gateway_failed": 502, "unavailable": 503,
}

func TestProblemTable(t *testing.T) {
	t.Parallel()
	table := newProblems()
	seen := map[string]bool{}
	for _, p := range table {
		if contractCodes[p.code] != p.status {
			t.Errorf("%s: status %d, want %d", p.code, p.status, contractCodes[p.code])
		}
		if seen[p.code] {
			t.Errorf("%s: twice", p.code)
		}
		seen[p.code] = true
		for _, err := range []error{p.example, fmt.Errorf("wrapped: %w", p.example)} {
			if got := find(table, err); got != p {
				t.Errorf("%s: its example is taken by %s", p.code, got.code)
			}
		}
		for _, text := range []string{p.detail, p.explain} {
			if !strings.HasSuffix(text, ".") || text[:1] != strings.ToUpper(text[:1]) {
				t.Errorf("%s: not a sentence: %q", p.code, text)
			}
		}
	}
	if len(seen) != len(contractCodes) {
		t.Errorf("%d rows, want %d", len(seen), len(contractCodes))
	}
}

// tower-governor#65, flask-limiter#62: refused with 200 ms left, at the edge, or after it.
func TestRetryAfterIsWholeSecondsRoundedUp(t *testing.T) {
	t.Parallel()
	for wait, want := range map[time.Duration]int64{
		-time.Second: 1, 0: 1, 1: 1, 200 * time.Millisecond: 1, time.Second: 1, time.Second + 1: 2, 41001 * time.Millisecond: 42,
	} {
		err := &throttle.Denied{Decision: throttle.Decision{RetryAfter: wait}}
		if got := find(newProblems(), err).document(err, "id").RetryAfter; got != want {
			t.Errorf("a wait of %s is retry_after %d, want %d", wait, got, want)
		}
	}
}

func TestRateLimitFields(t *testing.T) {
	t.Parallel()
	phone, scene, ip := throttle.Phone, throttle.Scene, throttle.IP
	usages := []throttle.Usage{
		{Rule: "phone-hour", By: []throttle.Kind{phone}, Limit: 5, Window: time.Hour, Used: 1},
		{Rule: "cooldown", By: []throttle.Kind{phone, scene}, Limit: 1, Window: 1500 * time.Millisecond, Used: 1, RetryAfter: 900 * time.Millisecond},
		{Rule: "trial", By: []throttle.Kind{phone}, Mode: throttle.Shadow, Limit: 1, Window: time.Hour},
		{Rule: "source", By: []throttle.Kind{phone, ip}, Limit: 1, Window: time.Hour},
		{Rule: "total", Limit: 1, Window: time.Hour},
	}
	h := map[string][]string{}
	setRateLimit(h, usages)
	if got, want := strings.Join(h["Ratelimit-Policy"], ""), `"phone-hour";q=5;w=3600, "cooldown";q=1;w=2`; got != want {
		t.Errorf("policy %s, want %s", got, want)
	}
	if got, want := strings.Join(h["Ratelimit"], ""), `"phone-hour";r=4, "cooldown";r=0;t=1`; got != want {
		t.Errorf("state %s, want %s", got, want)
	}
	none := map[string][]string{}
	if setRateLimit(none, usages[2:]); len(none) != 0 {
		t.Errorf("fields without a limit to tell: %v", none)
	}
}
