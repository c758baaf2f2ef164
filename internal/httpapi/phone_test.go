package httpapi

import (
	"net/http"
	"strings"
	"testing"

	"smsd/internal/gateway/mock"
)

func (a *api) messages() []mock.Message { return a.mock.Messages(mock.Filter{}) }

// vellum-assistant PR 14132, Truxify#1253, rack-attack#493, logto#9048: twenty spellings of one phone are
// one bucket: one message, then 429.
func TestSpellingsOfOnePhone(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent(alice)
	for _, spelling := range []string{
		"+86 13800138000", "+86 138-0013-8000", "+86 138 0013 8000", "+86-138-0013-8000", "+86.138.0013.8000",
		"+86 (138) 0013-8000", "(+86) 13800138000", "+86（138）00138000", "008613800138000", "00 86 138 0013 8000",
		"＋８６１３８００１３８０００", "+８６１３８００１３８０００", "+86\u00a0138\u00a00013\u00a08000", "+8613800138000\u00a0", " +8613800138000 ",
		"\u202a+8613800138000\u202c", "+86\u200b13800138000", "+86–138–0013–8000", "+86/138/00138000", "+٨٦١٣٨٠٠١٣٨٠٠٠",
		"+86\t13800138000",
	} {
		if r := a.sendTo(spelling); r.status != http.StatusTooManyRequests || r.header.Get("Retry-After") == "" {
			t.Errorf("%q: %d %s", spelling, r.status, r.body)
		}
	}
	a.want(a.send(`{"phone":"138 0013 8000","region":"cn","scene":"login"}`), 429, "rate_limited")
	if n := len(a.messages()); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
}

// keycloak-phone-provider PR 92: another spelling in the phone of a verify.
func TestVerifyWithAnotherSpelling(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for phone, spelling := range map[string]string{"+86 138 0013 8000": "008613800138000", "+44 7911 123456": "(+44) 7911-123456"} {
		id, code := a.sent(phone)
		r := a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,"code":`+quote(code)+`,"phone":`+quote(spelling)+`}`)
		if r.status != http.StatusOK {
			t.Errorf("%s as %s: %d %s", phone, spelling, r.status, r.body)
		}
	}
	national := a.send(`{"phone":"13900139000","region":"CN","scene":"login"}`)
	id := national.text("sms_id")
	r := a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,"code":`+quote(a.code(id))+`,"phone":"139 0013 9000"}`)
	if r.status != http.StatusOK {
		t.Errorf("a national number: %d %s", r.status, r.body)
	}
}

// casdoor 1612: a national number without a region is told how to write it.
func TestNationalNumberWithoutRegion(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	r := a.sendTo("13800138000")
	a.want(r, 422, "invalid_phone")
	if detail := r.text("detail"); !strings.Contains(detail, "region") || !strings.Contains(detail, "+<country code><number>") {
		t.Errorf("detail %q does not say how to write it", detail)
	}
}

// packetfence 3473: dashes in the phone, pure E.164 at the gateway.
func TestGatewayGetsE164(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	a.sent("+86 138-0013-8000")
	if got := a.messages()[0].Phone.E164(); got != alice {
		t.Errorf("the gateway got %q", got)
	}
}

// libphonenumber 1194, 937: numbers with plans that change; policy decides, no hand-made pattern.
func TestUnusualNumberingPlans(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for _, phone := range []string{"+2250701234567", "+5491123456789", "+525512345678"} {
		if r := a.sendTo(phone); r.status != http.StatusOK && r.code() != "destination_not_allowed" {
			t.Errorf("%s: %d %s", phone, r.status, r.body)
		}
	}
}

// n8n#24636 and two numbers in one field: 4xx, no message, nothing echoed.
func TestHostilePhones(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, c := range map[string]struct {
		body   string
		status int
		code   string
	}{
		"1 MB":                {`{"scene":"login","phone":"` + strings.Repeat("1", 1<<20) + `"}`, 413, "body_too_large"},
		"16 KiB":              {`{"scene":"login","phone":"` + strings.Repeat("1", 16_000) + `"}`, 400, "invalid_request"},
		"10,000 deep":         {strings.Repeat(`{"a":`, 2_500), 400, "invalid_request"},
		"deep in the field":   {`{"scene":"login","phone":` + strings.Repeat("[", 10_000), 400, "invalid_request"},
		"10,000 deep, closed": {strings.Repeat("[", 8_000) + strings.Repeat("]", 8_000), 400, "invalid_request"},
		"NUL":                 {`{"scene":"login","phone":"+86138\u000000138000"}`, 422, "invalid_phone"},
		"a raw NUL":           {"{\"scene\":\"login\",\"phone\":\"+86138\x0000138000\"}", 400, "invalid_request"},
		"invalid UTF-8":       {"{\"scene\":\"login\",\"phone\":\"+86138\xff00138000\"}", 400, "invalid_request"},
		"two numbers":         {`{"scene":"login","phone":"+8613800138000,+8613900139000"}`, 422, "invalid_phone"},
		"an array":            {`{"scene":"login","phone":["+8613800138000","+8613900139000"]}`, 400, "invalid_request"},
		"CR LF":               {`{"scene":"login","phone":"+8613800138000\r\n+8613900139000"}`, 422, "invalid_phone"},
		"a number":            {`{"scene":"login","phone":8613800138000}`, 400, "invalid_request"},
		"letters":             {`{"scene":"login","phone":"+86CALLMENOW13800138000"}`, 422, "invalid_phone"},
		"twice":               {`{"scene":"login","phone":"+8613800138000","phone":"+8613900139000"}`, 400, "invalid_request"},
		"other case":          {`{"scene":"login","phone":"+8613800138000","Phone":"+8613900139000"}`, 400, "invalid_request"},
	} {
		r := a.send(c.body)
		if r.status != c.status || r.code() != c.code {
			t.Errorf("%s: %d %q, want %d %q", name, r.status, r.code(), c.status, c.code)
		}
		if len(r.body) > 2<<10 || strings.Contains(string(r.body), "13800138000") || strings.Contains(string(r.body), "CALLME") {
			t.Errorf("%s: the answer echoes the value: %.300s", name, r.body)
		}
	}
	if n := len(a.messages()); n != 0 {
		t.Errorf("%d messages, want none", n)
	}
	a.sent(alice) // and nothing was charged
}
