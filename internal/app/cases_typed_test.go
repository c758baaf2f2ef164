package app

import (
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"testing"
)

// cooldown lets a number have one message an hour.
const cooldown = "{name: cooldown, by: [phone, scene], limit: 1, window: 1h}"

// Phone and code as people type them.
func TestCasesTyped(t *testing.T) {
	t.Parallel()
	survive(t, []report{
		{"vellum-assistant PR 14132, Truxify#1253, rack-attack#493, logto#9048", rules(cooldown), spellings},
		{"keycloak-phone-provider PR 92", rules(cooldown), anotherSpellingInVerify},
		{"casdoor 1612", rules(cooldown), nationalNumberWithoutRegion},
		{"libphonenumber 1194, 937", rules("", " number_types: [mobile, fixed_or_mobile, fixed_line]"), numberingPlans},
		{"packetfence 3473", rules(""), pureE164},
		{"FirebaseUI-iOS 790, gpui-kit PR 2261, authgear 1474, bitwarden PR 19152, pay-selfservice PR 3637", rules(""), codesAsTyped},
		{"GoogleAuth 37, makeradmin 651", rules(""), leadingZero},
		{"rubygems PR 3459", rules("{name: verifies, by: [ip], limit: 3, window: 1h, on: verify}"), badCodesCostNothing},
		{"n8n#24636, and two numbers in one field", rules(cooldown), hostilePhones},
		{"huma ErrorDetail.value", rules(cooldown), nothingEchoed},
	})
}

func spellings(s *service) {
	s.sent(alice)
	for _, spelling := range []string{
		"+86 138-0013-8000", "008613800138000", "＋８６１３８００１３８０００", alice + "\u00a0",
		"+86 13800138000", "+86 138 0013 8000", "+86.138.0013.8000", "+86 (138) 0013-8000", "(+86) 13800138000",
		"+86（138）00138000", "00 86 138 0013 8000", "+86\u00a0138\u00a00013\u00a08000", " " + alice + " ", "\u202a" + alice + "\u202c",
		"+86\u200b13800138000", "+86–138–0013–8000", "+86/138/00138000", "+٨٦١٣٨٠٠١٣٨٠٠٠", "+86\t13800138000",
	} {
		s.wants(s.send(spelling), "429 rate_limited")
	}
	s.wants(s.post("send", fields{"phone": "138 0013 8000", "region": "cn", "scene": "login"}), "429 rate_limited")
	s.countMessages(1)
}

func anotherSpellingInVerify(s *service) {
	verify := func(sent answer, phone string) answer {
		id := s.wants(sent, "200").text("sms_id")
		return s.post("verify", fields{"sms_id": id, "code": s.codeOf(id), "phone": phone})
	}
	s.wants(verify(s.send("+86 138 0013 8000"), "0086-138-0013-8000"), "200")
	s.wants(verify(s.send("+44 7400 123456"), "(+44) 7400-123456"), "200")
	s.wants(verify(s.post("send", fields{"phone": "139 0013 9000", "region": "CN", "scene": "login"}), "13900139000"), "200")
}

func nationalNumberWithoutRegion(s *service) {
	a := s.wants(s.send("13800138000"), "422 invalid_phone")
	if detail := a.text("detail"); !strings.Contains(detail, "+<country code>") || !strings.Contains(detail, "region") {
		s.t.Errorf("detail %q does not say how to write it", detail)
	}
	s.countMessages(0)
	s.wants(s.post("send", fields{"phone": "13800138000", "region": "CN", "scene": "login"}), "200")
}

func numberingPlans(s *service) {
	all := []string{"+2250701234567", "+541123456789", "+5491123456789", "+525512345678"}
	for _, phone := range all {
		s.wants(s.send(phone), "200")
		if got := s.inbox("")[0].Phone; got != phone {
			s.t.Errorf("%s was sent to %s", phone, got)
		}
	}
	s.reload(rules("", " number_types: [mobile]", ` countries: [AR, MX]`))
	for i, want := range []string{"403 destination_not_allowed", "403 destination_not_allowed", "200", ""} {
		if a := s.send(all[i]); want != "" && a.outcome() != want { // what Mexico's plan tells apart has changed twice
			s.t.Errorf("%s, where the policy serves mobiles of two countries: %s, want %s", all[i], a, want)
		}
	}
}

func pureE164(s *service) {
	s.wants(s.send("+86-138-0013-8000"), "200")
	if got := s.inbox("")[0].Phone; got != alice {
		s.t.Errorf("the gateway got %q", got)
	}
}

func codesAsTyped(s *service) {
	spelled := func(code string, zero rune) string {
		return strings.Map(func(r rune) rune { return r - '0' + zero }, code)
	}
	for name, typed := range map[string]func(code string) string{
		"Arabic-Indic":     func(c string) string { return spelled(c, '٠') },
		"full width":       func(c string) string { return spelled(c, '０') },
		"blank in front":   func(c string) string { return " " + c },
		"blank inside":     func(c string) string { return c[:3] + " " + c[3:] },
		"hyphen":           func(c string) string { return c[:3] + "-" + c[3:] },
		"zero-width space": func(c string) string { return c[:3] + "\u200b" + c[3:] },
	} {
		id, code := s.sent(alice)
		if a := s.verify(id, typed(code)); a.status != 200 {
			s.t.Errorf("%s: %s", name, a)
		}
	}
}

func leadingZero(s *service) {
	id, code := s.sent(alice)
	for range 400 { // one code in ten
		if code[0] == '0' {
			break
		}
		id, code = s.sent(alice)
	}
	if len(code) != 6 || code[0] != '0' {
		s.t.Fatalf("of 400 codes none begins with 0, but the last is %q", code)
	}
	if text := s.inbox("sms_id=" + id)[0].Text; !strings.HasPrefix(text, code+" is your code") {
		s.t.Errorf("text %q, code %q", text, code)
	}
	short := strings.TrimLeft(code, "0")
	s.wants(s.verify(id, short), "400 invalid_request")
	s.wants(s.post("verify", fmt.Sprintf(`{"sms_id":%q,"code":%s}`, id, short)), "400 invalid_request")
	s.wrong(s.verify(id, otherCode(code)), 4)
	s.wants(s.verify(id, code), "200")
}

func badCodesCostNothing(s *service) {
	id, code := s.sent(alice)
	with := func(value string) string { return fmt.Sprintf(`{"sms_id":%q,"code":%s}`, id, value) }
	for _, body := range []string{
		fmt.Sprintf(`{"sms_id":%q}`, id), with(`null`), with(`""`), with(`[]`), with(`{}`), with(`true`), with(`-1`), with(code),
		with(`["` + code + `"]`), with(`{"$ne":null}`), with(`"` + code + `\u0000"`), with(`"` + code + code + `"`), with(`"` + code[1:] + `"`), with(`"` + code + `0"`), with(`"` + strings.Repeat("1", 64) + `"`),
		"", "null", "[]", "{}", `"` + code + `"`, "{", with(`"\ud800"`),
	} {
		s.wants(s.post("verify", body), "400 invalid_request")
	}
	s.wants(s.post("verify", with(`"`+strings.Repeat("1", 1<<20)+`"`)), "413 body_too_large")
	s.wrong(s.verify(id, otherCode(code)), 4) // and of the three verifies that this address has, this is the first
	s.wrong(s.verify(id, otherCode(code)), 3)
	s.wants(s.verify(id, code), "200")
	s.wants(s.verify(id, code), "429 rate_limited")
}

func hostilePhones(s *service) {
	phone := func(value string) string { return `{"scene":"login","phone":` + value + `}` }
	for body, want := range map[string]string{
		phone(`"` + strings.Repeat("1", 1<<20) + `"`):                          "413 body_too_large",
		phone(`"` + strings.Repeat("1", 16_000) + `"`):                         "400 invalid_request",
		phone(strings.Repeat("[", 8_000) + strings.Repeat("]", 8_000)):         "400 invalid_request",
		strings.Repeat("[", 10_000) + strings.Repeat("]", 6_000):               "400 invalid_request",
		phone("\"+86138\x0000138000\""):                                        "400 invalid_request",
		phone(`"+86138\u000000138000"`):                                        "422 invalid_phone",
		phone("\"+86138\xff00138000\""):                                        "400 invalid_request",
		phone(`"+8613800138000,+8613900139000"`):                               "422 invalid_phone",
		phone(`["+8613800138000","+8613900139000"]`):                           "400 invalid_request",
		phone(`"+8613800138000\r\n+8613900139000"`):                            "422 invalid_phone",
		phone(`8613800138000`):                                                 "400 invalid_request",
		`{"scene":"login","phone":"+8613800138000","phone":"+8613900139000"}`:  "400 invalid_request",
		`{"scene":"login","phone":"+8613800138000","Phone":"+8613900139000"}`:  "400 invalid_request",
		`{"scene":"login","phone":"+8613800138000","phones":"+8613900139000"}`: "400 invalid_request",
	} {
		if a := s.post("send", body); a.outcome() != want || len(a.raw) > 2<<10 {
			s.t.Errorf("%.80q: %s, want %s", body, a, want)
		}
	}
	s.endlessBody()
	s.countMessages(0)
	s.sent(alice) // and nothing was charged
}

// endlessBody sends one without a length: it is refused long before its end.
func (s *service) endlessBody() {
	s.t.Helper()
	const size = 64 << 20
	body := &counted{Reader: io.LimitReader(zeroes{}, size)}
	a := s.post("send", body)
	if a.err == nil { // else the connection was closed before all of the answer was read
		s.wants(a, "413 body_too_large")
	}
	if n := body.n.Load(); n > size/4 { // what the sockets of both sides hold is a few MB at most
		s.t.Errorf("%d bytes of an endless body were read", n)
	}
}

type zeroes struct{}

func (zeroes) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// counted counts what is read; a client's transport does so in a goroutine of its own.
type counted struct {
	io.Reader
	n atomic.Int64
}

func (c *counted) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n.Add(int64(n))
	return n, err
}

func nothingEchoed(s *service) {
	const mark = "zq7" // nowhere in a text of ours
	id, code := s.sent(alice)
	for action, bodies := range map[string][]any{
		"send": {
			fields{"phone": mark, "scene": "login"}, fields{"phone": "+86" + mark, "scene": "login"}, fields{"phone": alice, "scene": mark},
			fields{"phone": alice, "scene": "login", "region": mark}, fields{"phone": alice, "scene": "login", "locale": mark + "\x00"},
			fields{"phone": alice, "scene": "login", "device_id": mark + "\x01"}, fields{"phone": alice, "scene": strings.Repeat(mark, 30)},
			fields{"phone": fields{"a": mark}, "scene": "login"}, `{"phone":"` + mark, `{"phone":` + mark + `}`,
		},
		"resend": {fields{"sms_id": mark}, fields{"sms_id": id, "device_id": strings.Repeat(mark, 50)}},
		"verify": {
			fields{"sms_id": mark, "code": code}, fields{"sms_id": id, "code": mark}, fields{"sms_id": id, "code": code, "scene": mark + "\x00"},
			fields{"sms_id": id, "code": code, "phone": mark}, fields{"sms_id": id, "code": []string{mark}},
		},
	} {
		for _, body := range bodies {
			a := s.post(action, body)
			if a.status < 400 || a.status >= 500 {
				s.t.Errorf("%s %v: %s", action, body, a)
			}
			if all := fmt.Sprint(a.header, string(a.raw)); strings.Contains(all, mark) || strings.Contains(all, code) {
				s.t.Errorf("%s %v is echoed: %s", action, body, all)
			}
		}
	}
	s.wants(s.verify(id, code), "200")
}
