package twilio

import (
	"fmt"
	"net/http"
	"strconv"
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

func refusal(code, status int) string {
	return fmt.Sprintf(`{"code": %d, "message": "to +447400123456: 493817", "more_info": "https://www.twilio.com/docs/errors/%[1]d", "status": %d}`, code, status)
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
		{201, `{"sid": "SM1", "status": "queued", "error_code": null}`, "", "", 0, 0, ""},
		{201, `{"sid": "MM1", "status": "accepted"}`, "", "", 0, 0, ""},
		{200, `{"sid": "SM1", "status": "undelivered", "error_code": 30003}`, "", "", 0, 0, ""}, // it has left: a receipt's affair
		{201, `{"sid": "SM1", "status": "failed", "error_code": 30450}`, "", gateway.Throttled, gateway.NotSent, 30 * time.Minute, "30450"},
		{201, `{"sid": "SM1", "status": "failed", "error_code": 30008}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "30008"},
		{201, `{"sid": "SM1", "status": "failed", "error_code": null}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "failed"},
		{201, `{"status": "queued"}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "without the message's id"},
		{201, `{"sid": "AC1"}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "without the message's id"},
		{204, ``, "", gateway.Ambiguous, gateway.MaybeSent, 0, "not JSON"},

		{400, refusal(21211, 400), "", gateway.BadNumber, gateway.NotSent, 0, "21211"},
		{400, refusal(21610, 400), "", gateway.BadNumber, gateway.NotSent, 0, "21610"},
		{400, refusal(21614, 400), "", gateway.BadNumber, gateway.NotSent, 0, "21614"},
		{400, refusal(21408, 400), "", gateway.NoRoute, gateway.NotSent, 0, "21408"},
		{401, refusal(20003, 401), "", gateway.Configuration, gateway.NotSent, 0, "20003"},
		{400, refusal(14107, 400), "", gateway.Throttled, gateway.NotSent, 30 * time.Second, "14107"},
		{400, refusal(14107, 400), "7", gateway.Throttled, gateway.NotSent, 7 * time.Second, "14107"},
		{429, refusal(63038, 429), "", gateway.Configuration, gateway.NotSent, 0, "63038"},
		{429, refusal(20429, 429), "2", gateway.Temporary, gateway.NotSent, 2 * time.Second, "20429"},
		{400, refusal(30007, 400), "", gateway.Content, gateway.NotSent, 0, "30007"},
		{400, refusal(21612, 400), "", gateway.NoRoute, gateway.NotSent, 0, "21612"},
		{400, refusal(21703, 400), "", gateway.NoRoute, gateway.NotSent, 0, "21703"},

		// A code that is not in the table, and none at all: by the status.
		{400, refusal(29999, 400), "", gateway.Temporary, gateway.NotSent, 0, "29999"},
		{403, refusal(29999, 403), "", gateway.Configuration, gateway.NotSent, 0, "29999"},
		{400, `{"code": null, "status": 400}`, "", gateway.Temporary, gateway.NotSent, 0, "status-400"},

		// What is not the vendor's own says nothing, but for a 429.
		{400, `{"code": 21211}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "not the carrier's own"},
		{403, refusal(21211, 400), "", gateway.Ambiguous, gateway.MaybeSent, 0, "not the carrier's own"},
		{404, `<html>`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "not JSON"},
		{400, `{"code": "+447400123456", "status": 400}`, "", gateway.Ambiguous, gateway.MaybeSent, 0, "not the JSON expected"},
		{429, `<html>`, "60", gateway.Temporary, gateway.NotSent, time.Minute, "status-429"},
		{429, refusal(21211, 400), "", gateway.Temporary, gateway.NotSent, 0, "status-429"},

		{500, refusal(20500, 500), "", gateway.Ambiguous, gateway.MaybeSent, 0, "status 500"},
		{503, refusal(20503, 503), "1", gateway.Ambiguous, gateway.MaybeSent, 0, "status 503"},
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
	for _, status := range []int{200, 201, 302, 400, 401, 404, 429, 500} {
		for _, body := range []string{``, `{}`, `{"sid": "SM1", "status": "queued"}`, `{"sid": "SM1", "status": "failed", "error_code": 30007}`,
			refusal(21211, status), refusal(20429, status), `{"code": 1e99, "status": 400}`, `{"sid": 7}`, "<html>"} {
			f.Add(status, body)
		}
	}
	f.Fuzz(func(t *testing.T, status int, body string) {
		accepted, err := outcome(answered(status, body, "1"), now)
		e, _ := err.(*gateway.Error)
		switch fault := gatewaytest.Judgement(status, accepted, err); {
		case fault != "":
			t.Error(fault)
		case e == nil && !isMessage(accepted.ProviderID):
			t.Errorf("%d %s is accepted as %s", status, body, accepted.ProviderID)
		case e != nil && e.Sent == gateway.NotSent && status/100 != 4 && status/100 != 2:
			t.Errorf("%d %s is surely not sent", status, body)
		}
	})
}

// The table for users is that of the driver.
func TestCodesInTheManual(t *testing.T) {
	t.Parallel()
	reasons := map[string]gateway.Reason{}
	for code, m := range codes {
		reasons[strconv.Itoa(code)] = m.reason
	}
	gatewaytest.Documented(t, "../../../docs/gateways.md", "Twilio", reasons)
}
