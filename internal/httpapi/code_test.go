package httpapi

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"smsd/internal/phone"
	"smsd/internal/secret"
	"smsd/internal/sms"
)

// spelled writes the digits of code with another zero.
func spelled(code string, zero rune) string {
	return strings.Map(func(r rune) rune { return r - '0' + zero }, code)
}

// FirebaseUI-iOS 790, gpui-kit PR 2261, authgear 1474, bitwarden PR 19152, pay-selfservice PR 3637.
func TestCodeAsPeopleTypeIt(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	for name, typed := range map[string]func(code string) string{
		"Arabic-Indic":     func(c string) string { return spelled(c, '٠') },
		"Persian":          func(c string) string { return spelled(c, '۰') },
		"Devanagari":       func(c string) string { return spelled(c, '०') },
		"full width":       func(c string) string { return spelled(c, '０') },
		"leading blank":    func(c string) string { return " " + c },
		"blank inside":     func(c string) string { return c[:3] + " " + c[3:] },
		"hyphen inside":    func(c string) string { return c[:3] + "-" + c[3:] },
		"zero-width space": func(c string) string { return c[:3] + "\u200b" + c[3:] },
		"line break":       func(c string) string { return c + "\n" },
	} {
		id, code := a.sent(alice)
		if r := a.verify(id, typed(code)); r.status != http.StatusOK {
			t.Errorf("%s: %d %s", name, r.status, r.body)
		}
		a.clock.Advance(24 * time.Hour)
	}
}

// rubygems PR 3459: no code, null, "", [], {}, 1 MB; GoogleAuth 37, makeradmin 651: a code as a number, or
// one digit short: 400, and no attempt is spent.
func TestBadCodesCostNoAttempt(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	with := func(value string) string { return `{"sms_id":` + quote(id) + `,"code":` + value + `}` }
	for body, status := range map[string]int{
		`{"sms_id":` + quote(id) + `}`: 400,
		with(`null`):                   400,
		with(`""`):                     400,
		with(`[]`):                     400,
		with(`{}`):                     400,
		with(`true`):                   400,
		with(`12345`):                  400,
		with(`123456`):                 400,
		with(`"` + code[1:] + `"`):     400,
		with(`"` + code + `0"`):        400,
		with(`"abcdef"`):               400,
		with(`"` + code + `\u0000"`):   400,
		with(`["` + code + `"]`):       400,
		with(`"` + strings.Repeat("1", 1<<20) + `"`): 413,
		with(`"` + strings.Repeat("1", 100) + `"`):   400,
		`null`: 400, `[]`: 400, `{}`: 400, `"x"`: 400, ``: 400, `{`: 400,
	} {
		r := a.do(a.public, request("POST", "http://127.0.0.1:8080/api/v1/sms/verify", body, "Content-Type", "application/json"))
		if r.status != status {
			t.Errorf("%.80s: %d, want %d: %s", body, r.status, status, r.body)
		}
		if strings.Contains(string(r.body), code) {
			t.Errorf("%.80s: the answer echoes the code", body)
		}
	}
	r := a.verify(id, wrong(code))
	a.want(r, 422, "code_incorrect")
	if r.number("attempts_left") != 4 {
		t.Errorf("attempts_left %d, want 4", r.number("attempts_left"))
	}
}

// GoogleAuth 37, makeradmin 651: code 012345 is six digits in the message, and 12345 is not it.
func TestCodeWithLeadingZero(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) {
		s.policy.TestNumbers = map[phone.Number]sms.TestNumber{phone.MustParse(alice): {Code: secret.New("012345")}}
	})
	id := a.sendTo(alice).text("sms_id")
	a.want(a.verify(id, "12345"), 400, "invalid_request")
	a.want(a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,"code":12345}`), 400, "invalid_request")
	if r := a.verify(id, "012345"); r.status != http.StatusOK {
		t.Errorf("verify: %d %s", r.status, r.body)
	}
}

// otpgateway 23, otp-jwt 5: wrong ones, then the right one; the fifth try still succeeds.
func TestWrongThenRight(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	for left := 4; left >= 1; left-- {
		r := a.verify(id, wrong(code))
		a.want(r, 422, "code_incorrect")
		if r.number("attempts_left") != left {
			t.Errorf("attempts_left %d, want %d", r.number("attempts_left"), left)
		}
	}
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("the fifth try: %d %s", r.status, r.body)
	}
}

// better-auth PR 8560, Clinical-Insight-Engine 2351: a resend does not give attempts back.
func TestResendKeepsAttempts(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	id, code := a.sent(alice)
	for range 3 {
		a.verify(id, wrong(code))
	}
	a.clock.Advance(time.Minute)
	if r := a.resend(id); r.number("attempts") != 2 {
		t.Errorf("attempts %d after the resend, want 2: %s", r.number("attempts"), r.body)
	}
	if r := a.verify(id, wrong(code)); strings.Contains(r.text("detail"), "new code") {
		t.Errorf("with an attempt left it says %q", r.text("detail"))
	}
	if r := a.verify(id, wrong(code)); !strings.Contains(r.text("detail"), "new code") {
		t.Errorf("with no attempt left it says %q", r.text("detail"))
	}
	a.want(a.verify(id, code), 410, "attempts_exhausted")
}

// press PR 7078: a code of one scene is none of another, and the attempt counts.
func TestSceneMustMatch(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	sent := a.send(`{"phone":"+8613800138000","scene":"register"}`)
	id := sent.text("sms_id")
	r := a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,"code":`+quote(a.code(id))+`,"scene":"reset_password"}`)
	a.want(r, 422, "code_incorrect")
	if r.number("attempts_left") != 4 {
		t.Errorf("attempts_left %d, want 4", r.number("attempts_left"))
	}
}

// convex-auth 243: A's code under B's sms_id.
func TestCodeOfAnotherVerification(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	_, codeA := a.sent(alice)
	idB, codeB := a.sent("+447911123456")
	if codeA != codeB {
		a.want(a.verify(idB, codeA), 422, "code_incorrect")
	}
}

// better-auth 541, rallly PR 2439: two sends are two verifications, each with its own code.
func TestTwoSendsAreIndependent(t *testing.T) {
	t.Parallel()
	a := newAPI(t)
	first, firstCode := a.sent(alice)
	a.clock.Advance(time.Minute)
	second, secondCode := a.sent(alice)
	for id, code := range map[string]string{first: firstCode, second: secondCode} {
		if r := a.verify(id, code); r.status != http.StatusOK {
			t.Errorf("verify: %d %s", r.status, r.body)
		}
	}
}

func (a *api) resetLimits(e164 string) {
	a.Helper()
	if r := a.operate("DELETE", "/mock/limits?phone="+strings.Replace(e164, "+", "%2B", 1), ""); r.status != http.StatusNoContent {
		a.Errorf("limits: %d %s", r.status, r.body)
	}
}
