package vonage

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/gateway/gatewaytest"
)

var now = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)

func answered(status int, body, wait string) carrier.Answer {
	return carrier.Answer{Status: status, Header: http.Header{"Retry-After": {wait}}, Body: []byte(body)}
}

func read(status int, body, wait string) (gateway.Accepted, *gateway.Error) {
	accepted, err := outcome(answered(status, body, wait), now)
	if err == nil {
		return accepted, nil
	}
	return accepted, err.(*gateway.Error)
}

// refusal is a problem of the vendor's. Its words hold what no error may.
func refusal(page, title string, parameters ...string) string {
	var invalid []string
	for _, name := range parameters {
		invalid = append(invalid, fmt.Sprintf(`{"name": %q, "reason": "447400123456"}`, name))
	}
	return fmt.Sprintf(`{"type": "https://developer.vonage.com/api-errors%s", "title": %q, "detail": "447400123456: 493817",
		"instance": "bf0ca0bf927b3b52e3cb03217e1a1ddf", "invalid_parameters": [%s]}`, page, title, strings.Join(invalid, ","))
}

// What an answer comes to, by what the vendor's pages say of it.
func TestOutcome(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		status     int
		body, wait string
		reason     gateway.Reason // "": accepted
		sent       gateway.Sent
		retry      time.Duration
		says       string
	}{
		{202, `{"message_uuid": "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab"}`, "", "", 0, 0, ""},
		{202, `{}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "without the message's id"},
		{202, `{"message_uuid": 7}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "not the JSON expected"},
		{200, `OK`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "not JSON"},

		{401, refusal("/#unathorized", "You did not provide correct credentials."), "", gateway.Configuration, gateway.NotSent, 0, "unathorized"},
		{401, refusal("#unprovisioned", "..."), "", gateway.Configuration, gateway.NotSent, 0, "unprovisioned"},
		{402, strings.Replace(refusal("/#low-balance", "Low balance"), "vonage.com", "nexmo.com", 1), "", gateway.Configuration, gateway.NotSent, 0, "low-balance"},
		{429, refusal("#throttled", "Rate Limit Hit"), "15", gateway.Temporary, gateway.NotSent, 15 * time.Second, "throttled"},
		{429, refusal("/messages#1000", "Throttled"), "", gateway.Temporary, gateway.NotSent, 0, "1000"},
		{429, refusal("/messages#1241", "..."), "60", gateway.Throttled, gateway.NotSent, time.Minute, "1241"},
		{422, refusal("/messages#1240", "Illegal Number"), "", gateway.BadNumber, gateway.NotSent, 0, "1240"},
		{403, refusal("/messages#1210", "..."), "", gateway.Content, gateway.NotSent, 0, "1210"},

		// In a 422 the numbers mean something else than in the list of errors.
		{422, refusal("/messages#110", "Invalid recipient"), "", gateway.BadNumber, gateway.NotSent, 0, "110"},
		{422, refusal("/messages#1100", "Unsupported channel"), "", gateway.Configuration, gateway.NotSent, 0, "1100"},
		{422, refusal("/messages#1100", "Communication Failed"), "", gateway.Temporary, gateway.NotSent, 0, "1100"},
		{422, refusal("/messages#1150", "Invalid params", "to"), "", gateway.BadNumber, gateway.NotSent, 0, "1150"},
		{422, refusal("/messages#1150", "Invalid params", "$.text"), "", gateway.Content, gateway.NotSent, 0, "1150"},
		{422, refusal("/messages#1150", "Invalid params", "ttl", "from"), "", gateway.Configuration, gateway.NotSent, 0, "1150"},
		{422, refusal("/messages#1150", "Invalid params"), "", gateway.Configuration, gateway.NotSent, 0, "1150"},

		// A code that is not in the table, and none at all: by the status.
		{422, refusal("/messages#9999", "..."), "", gateway.Temporary, gateway.NotSent, 0, "9999"},
		{422, refusal("/messages#9999", "...", "to"), "", gateway.BadNumber, gateway.NotSent, 0, "9999"},
		{403, refusal("/messages#9999", "..."), "", gateway.Configuration, gateway.NotSent, 0, "9999"},
		{404, refusal("", "..."), "", gateway.Configuration, gateway.NotSent, 0, "status-404"},
		{403, refusal("#447400123456", "..."), "", gateway.Configuration, gateway.NotSent, 0, "withheld"},

		// What may have been sent.
		{422, refusal("/messages#1320", "Message already sent"), "", gateway.Ambiguous, gateway.MaybeSent, 0, "1320"},
		{422, refusal("/messages#1331", "Provider error", "to"), "", gateway.Ambiguous, gateway.MaybeSent, 0, "1331"},

		// What is not the vendor's own says nothing.
		{422, `{"type": "about:blank", "title": "Invalid recipient"}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "not the carrier's own"},
		{403, `{"message": "Forbidden"}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "not the carrier's own"},
		{429, `<html>`, "60", gateway.Ambiguous, gateway.MaybeSent, 0, "not JSON"},

		{500, refusal("/messages#1030", "Internal error"), "", gateway.Ambiguous, gateway.MaybeSent, 0, "status 500"},
		{503, refusal("/messages#1000", "Throttled"), "1", gateway.Ambiguous, gateway.MaybeSent, 0, "status 503"},
		{502, `<html>`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "status 502"},
	} {
		accepted, e := read(c.status, c.body, c.wait)
		switch {
		case c.reason == "" && (e != nil || accepted.ProviderID == ""):
			t.Errorf("%d %s: %+v, %v", c.status, c.body, accepted, e)
		case c.reason != "" && (e == nil || e.Reason != c.reason || e.Sent != c.sent || e.RetryAfter != c.retry || !strings.Contains(e.Error(), c.says)):
			t.Errorf("%d %s: %v; want %s, %s, %s: %s", c.status, c.body, e, c.reason, c.sent, c.retry, c.says)
		}
	}
}

// FuzzOutcome: no answer is taken for more than it says, and none is repeated.
func FuzzOutcome(f *testing.F) {
	for _, status := range []int{200, 202, 302, 401, 402, 422, 429, 500} {
		for _, body := range []string{``, `{}`, `{"message_uuid": "a"}`, `{"message_uuid": null}`, refusal("/messages#1320", "Invalid sender"),
			refusal("#throttled", "..."), refusal("", "Invalid params", "to", "text"), `{"type": "/api-errors", "invalid_parameters": {}}`, "<html>"} {
			f.Add(status, body)
		}
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		accepted, err := outcome(answered(status, body, "1"), now)
		e, _ := err.(*gateway.Error)
		switch fault := gatewaytest.Judgement(status, accepted, err); {
		case fault != "":
			t.Error(fault)
		case e == nil && accepted.ProviderID == "":
			t.Errorf("%d %s is accepted without an id", status, body)
		case e != nil && e.Sent == gateway.NotSent && status/100 != 4:
			t.Errorf("%d %s is surely not sent", status, body)
		}
	})
}

// The table for users is that of the driver.
func TestCodesInTheManual(t *testing.T) {
	t.Parallel()
	gatewaytest.Documented(t, "../../../docs/gateways.md", "Vonage", codes)
}
