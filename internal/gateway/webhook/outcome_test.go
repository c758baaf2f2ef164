package webhook

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func answered(status int, body, retryAfter string) carrier.Answer {
	h := http.Header{}
	if retryAfter != "" {
		h.Set("Retry-After", retryAfter)
	}
	return carrier.Answer{Status: status, Header: h, Body: []byte(body)}
}

// The contract of docs/gateways.md: what each answer means.
func TestOutcome(t *testing.T) {
	t.Parallel()
	const none = gateway.Reason("")
	for _, c := range []struct {
		status           int
		body, retryAfter string
		reason           gateway.Reason // none: accepted
		id               string
		wait             time.Duration
	}{
		{status: 204},
		{status: 200},
		{status: 200, body: " \n"},
		{status: 200, body: "OK"},
		{status: 202, body: "{}"},
		{status: 200, body: `{"id": "SM1", "more": [1]}`, id: "SM1"},
		{status: 201, body: `{"id": 12345678901234567890}`, id: "12345678901234567890"},
		{status: 200, body: `{"id": null}`},
		{status: 200, body: `{"id": {"a": 1}}`},
		{status: 200, body: `{"id": true}`},
		{status: 200, body: `{"id": "a b"}`},
		{status: 200, body: `{"id": "短信"}`},
		{status: 200, body: `{"id": "` + strings.Repeat("x", 257) + `"}`},
		{status: 200, body: `{"id": "SM1", "retry_after": "soon"}`, id: "SM1"},

		{status: 200, body: "<html>", reason: gateway.Ambiguous},
		{status: 200, body: "okay", reason: gateway.Ambiguous},
		{status: 200, body: "[]", reason: gateway.Ambiguous},
		{status: 200, body: `"SM1"`, reason: gateway.Ambiguous},
		{status: 200, body: `{"id": "SM1"`, reason: gateway.Ambiguous},
		{status: 200, body: `{"reason": "bad_number"}`, reason: gateway.Ambiguous},
		{status: 200, body: `{"id": "SM1", "reason": "anything"}`, reason: gateway.Ambiguous},
		{status: 200, body: `{"reason": 1}`, reason: gateway.Ambiguous},

		{status: 422, body: `{"reason": "bad_number"}`, reason: gateway.BadNumber},
		{status: 422, body: `{"reason": "content"}`, reason: gateway.Content},
		{status: 400, body: `{"reason": "configuration"}`, reason: gateway.Configuration},
		{status: 400, body: `{"reason": "temporary"}`, reason: gateway.Temporary},
		{status: 400, body: `{"reason": "ambiguous"}`, reason: gateway.Ambiguous},
		{status: 503, body: `{"reason": "temporary", "retry_after": 30}`, retryAfter: "30", reason: gateway.Temporary},
		{status: 500, body: `{"reason": "bad_number"}`, reason: gateway.BadNumber},

		{status: 400, body: `{"reason": "throttled", "retry_after": 30}`, reason: gateway.Throttled, wait: 30 * time.Second},
		{status: 429, body: `{"retry_after": 0.2}`, retryAfter: "60", reason: gateway.Throttled, wait: time.Second},
		{status: 429, retryAfter: "60", reason: gateway.Throttled, wait: time.Minute},
		{status: 429, retryAfter: "Mon, 30 Nov 2026 12:02:00 GMT", reason: gateway.Throttled, wait: 2 * time.Minute},
		{status: 429, body: `{"retry_after": "30"}`, retryAfter: "60", reason: gateway.Throttled, wait: time.Minute},
		{status: 429, body: `{"retry_after": -1}`, reason: gateway.Throttled},
		{status: 429, body: `{"retry_after": 1e300}`, reason: gateway.Throttled, wait: 24 * time.Hour},
		{status: 429, body: `{"reason": "temporary"}`, retryAfter: "60", reason: gateway.Temporary},

		{status: 400, reason: gateway.Configuration},
		{status: 401, body: "no", reason: gateway.Configuration},
		{status: 404, body: "<html>", reason: gateway.Configuration},
		{status: 410, reason: gateway.Configuration},
		{status: 422, body: `{"reason": "whatever"}`, reason: gateway.Configuration},
		{status: 422, body: `{"reason": "bad_number"`, reason: gateway.Configuration},
		{status: 408, reason: gateway.Temporary},
		{status: 425, reason: gateway.Temporary},
		{status: 409, reason: gateway.Ambiguous},
		{status: 409, body: `{"reason": "content"}`, reason: gateway.Content},
		{status: 500, reason: gateway.Ambiguous},
		{status: 502, body: "<html>", reason: gateway.Ambiguous},
		{status: 503, retryAfter: "60", reason: gateway.Ambiguous},
		{status: 504, body: `{"reason": "whatever"}`, reason: gateway.Ambiguous},
		{status: 999, reason: gateway.Ambiguous},
	} {
		accepted, err := outcome(answered(c.status, c.body, c.retryAfter), noon)
		if err == nil {
			err = (*gateway.Error)(nil)
		}
		var got gateway.Error
		if e, ok := err.(*gateway.Error); !ok {
			t.Fatalf("%d %s: a %T", c.status, c.body, err)
		} else if e != nil {
			got = *e
		}
		sent := gateway.NotSent
		if c.reason == none || c.reason == gateway.Ambiguous {
			sent = gateway.MaybeSent
		}
		if got.Reason != c.reason || got.Sent != sent || got.RetryAfter != c.wait || accepted.ProviderID != c.id {
			t.Errorf("%d %s: %q, %s, %s, id %q; want %q, %s, id %q", c.status, c.body, got.Reason, got.Sent, got.RetryAfter, accepted.ProviderID, c.reason, c.wait, c.id)
		}
	}
}

// words is all that an error of an answer may be made of.
var words = regexp.MustCompile(`^gateway: [a-z_]+(, maybe sent)?: ([a-z' ]+, status|` +
	`the answer is not (the )?JSON( expected)?, status|the carrier says) \d{3}$`)

// Whatever an answer holds, what is said of it is of the taxonomy, consistent, bounded, and repeats none of it.
func FuzzOutcome(f *testing.F) {
	for _, body := range []string{"", "ok", "{}", `{"id": "SM1"}`, `{"reason": "throttled", "retry_after": 1.5}`, "<html>", `{"reason": "bad_number", "detail": "+8613800138000"}`} {
		for _, status := range []uint16{200, 400, 409, 429, 500} {
			f.Add(status, []byte(body), "30")
		}
	}
	f.Fuzz(func(t *testing.T, status uint16, body []byte, retryAfter string) {
		status = 100 + status%900
		accepted, err := outcome(carrier.Answer{Status: int(status), Header: http.Header{"Retry-After": {retryAfter}}, Body: body}, noon)
		if err == nil {
			if status/100 != 2 || len(accepted.ProviderID) > gateway.MaxProviderID || strings.ContainsAny(accepted.ProviderID, " \r\n\x00") {
				t.Errorf("accepted with status %d, id %q", status, accepted.ProviderID)
			}
			return
		}
		e, ok := err.(*gateway.Error)
		switch {
		case !ok || e == nil || !slices.Contains(gateway.Reasons(), e.Reason):
			t.Errorf("a %T", err)
		case (e.Reason == gateway.Ambiguous) != (e.Sent == gateway.MaybeSent):
			t.Errorf("%s, %s", e.Reason, e.Sent)
		case status/100 == 2 && e.Reason != gateway.Ambiguous:
			t.Errorf("status %d, and %s", status, e.Reason)
		case status/100 == 5 && e.Sent == gateway.NotSent && !strings.Contains(string(body), string(e.Reason)) && !strings.Contains(string(body), `\`):
			t.Errorf("status %d, and %s without a word of it", status, e.Reason)
		case e.RetryAfter < 0 || e.RetryAfter > carrier.MaxRetryAfter || e.RetryAfter > 0 && e.Reason != gateway.Throttled:
			t.Errorf("%s, wait %s", e.Reason, e.RetryAfter)
		case !words.MatchString(e.Error()):
			t.Errorf("the error says %q", e)
		}
	})
}
