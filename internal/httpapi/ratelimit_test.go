package httpapi

import (
	"strings"
	"testing"
	"time"

	"smsd/internal/throttle"
)

func TestRateLimitFields(t *testing.T) {
	t.Parallel()
	phone, scene := throttle.Phone, throttle.Scene
	usages := []throttle.Usage{
		{Rule: "phone-hour", By: []throttle.Kind{phone}, Limit: 5, Window: time.Hour, Used: 1},
		{Rule: "cooldown", By: []throttle.Kind{phone, scene}, Limit: 1, Window: 1500 * time.Millisecond, Used: 1, RetryAfter: 900 * time.Millisecond},
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
	if setRateLimit(none, nil); len(none) != 0 {
		t.Errorf("fields without a limit to tell: %v", none)
	}
}
