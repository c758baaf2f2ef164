package httpapi

import (
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/policy"
	"smsd/internal/secret"
)

// longCodes is a policy whose codes are too long to be met by chance in an id or a time.
const longCodes = `
limits: [{name: phone-hour, by: [phone], limit: 50, window: 1h}]
scenes:
  login:
    code: {length: 10, ttl: 5m, attempts: 5}
    default_region: CN
    countries: ["*"]
    number_types: [mobile, fixed_or_mobile]
    templates: {en: "{{.Code}} is your code.", zh: "验证码：{{.Code}}"}
    limits: [{name: cooldown, by: [phone, scene], limit: 1, window: 1s}]
  rotating:
    code: {length: 10, ttl: 5m, attempts: 5}
    resend: rotate
    countries: ["*"]
    number_types: [mobile]
    templates: {en: "{{.Code}} is your code."}
`

// glific 236, otpgateway README, WorkSphere 2149, Skyvern PR 6576, huma ErrorDetail.value: everything that a
// run with every kind of failure answers, logs and counts holds no code, no whole number, no whole address
// and no token. The answers to a right code and to a token, which hold the number, and the inbox are what they are for.
func TestNoSecretLeaves(t *testing.T) {
	t.Parallel()
	p, _, err := policy.Parse([]byte(longCodes))
	if err != nil {
		t.Fatal(err)
	}
	const token = "an-admin-token-of-the-operator"
	a := newAPI(t, func(s *setup) { s.policy, s.http.AdminToken = p, secret.New(token) })
	bearer := []string{"Authorization", "Bearer " + token}
	tokens := everything(a, bearer)
	for _, m := range a.mock.Messages(mock.Filter{}) {
		a.isAbsent("a code", m.Code.Reveal())
	}
	a.isAbsent("a number", "13800138000", "138 0013 8000", "138-0013-8000", "7911123456", "1234567890")
	a.isAbsent("an address", "203.0.113.9", "198.51.100.77")
	a.isAbsent("a token", token, "a-wrong-token")
	for _, token := range tokens {
		a.isAbsent("what a verify gave", token, token[strings.Index(token, "."):])
	}
	a.isAbsent("what was typed", "SECRETVALUE")
	if len(a.messages()) < 10 || len(a.seen) < 40 {
		t.Errorf("only %d messages and %d answers: the run is not what it was", len(a.messages()), len(a.seen))
	}
}

// everything calls every endpoint with every kind of fault, and returns the tokens that verifies gave.
func everything(a *api, bearer []string) (tokens []string) {
	for _, phone := range []string{alice, "+86 138 0013 8000", "138-0013-8000", "+447911123456"} {
		a.clock.Advance(time.Minute)
		id, code := a.sent(phone)
		a.sendTo(phone)
		a.verify(id, wrong(code))
		a.verify(id, code[1:])
		a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,"code":`+code+`}`)
		a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,"code":[`+quote(code)+`]}`)
		a.post("/api/v1/sms/verify", `{"sms_id":`+quote(id)+`,`+quote(code)+`:1}`)
		a.post("/api/v1/sms/verify/"+code, `{}`)
		a.clock.Advance(2 * time.Second)
		a.resend(id)
		a.verify(code, code)
		token := a.verify(id, code).text("token")
		a.verify(id, code)
		for _, bad := range []string{token[:len(token)-4], "SECRETVALUE", "SECRETVALUE." + token} {
			a.consume(bad, `"nonce":"SECRETVALUE"`)
		}
		a.consume(token, `"scene":"SECRETVALUE"`)
		a.consume(token, "")
		a.consume(token, "")
		tokens = append(tokens, token)
	}
	rotated := a.send(`{"phone":"+8613800138000","scene":"rotating"}`)
	a.clock.Advance(2 * time.Second)
	a.resend(rotated.text("sms_id"))
	for _, fault := range mock.FaultKinds() {
		a.clock.Advance(2 * time.Second)
		body := `{"fault":` + quote(fault) + `,"phone":"+8613800138000","times":1`
		if fault == "slow" {
			body += `,"delay":"1ms"`
		}
		a.operate("PUT", "/mock/faults", body+"}", bearer...)
		a.operate("GET", "/mock/faults", "", bearer...)
		a.sendTo(alice)
	}
	for _, bad := range []string{
		`{"phone":"+8613800138000 SECRETVALUE","scene":"login"}`, `{"phone":["+8613800138000"],"scene":"SECRETVALUE"}`,
		`{"phone":"+8613800138000","scene":"SECRETVALUE"}`, `{"phone":"+8613800138000","scene":"login","region":"SECRETVALUE"}`,
		`{"phone":"+8613800138000","scene":"login","device_id":"SECRETVALUE\u0001"}`, `{"phone":"+8613800138000","scene":{"SECRETVALUE":1}}`,
		`{"+8613800138000":"SECRETVALUE"}`, `{"phone":"+8613800138000`,
	} {
		a.send(bad)
	}
	a.post("/api/v1/sms/send", `{}`, "X-Forwarded-For", "198.51.100.77")
	a.do(a.public, request("GET", "http://127.0.0.1:8080/13800138000?phone=13800138000", ""))
	a.operate("GET", "/mock/messages?phone=+8613800138000x", "", bearer...)
	a.operate("GET", "/mock/messages?13800138000=1", "", bearer...)
	a.operate("GET", "/mock/messages", "", "Authorization", "Bearer a-wrong-token")
	a.operate("DELETE", "/mock/limits?phone=+8613800138000", "", bearer...)
	a.operate("GET", "/metrics", "", bearer...)
	return tokens
}

// isAbsent looks for texts in every answer, the log and the metrics (an answer among the others).
func (a *api) isAbsent(what string, texts ...string) {
	a.Helper()
	for _, text := range texts {
		if strings.Contains(a.log.String(), text) {
			a.Errorf("%s is in the log", what)
		}
		for _, answer := range a.seen {
			if strings.Contains(answer, text) && !strings.Contains(answer, `"verified":true`) && !strings.Contains(answer, `"valid":true`) {
				a.Errorf("%s is in an answer: %.600s", what, answer)
			}
		}
	}
}

// The scan is worth nothing if it can't find.
func TestScanFinds(t *testing.T) {
	t.Parallel()
	probe := &scanProbe{TB: t}
	a := &api{TB: probe, log: &lockedBuffer{}, seen: []string{"GET /\n\n{\"code\":\"0123456789\"}"}}
	a.isAbsent("a code", "0123456789")
	_, _ = a.log.Write([]byte("msg=x phone=13800138000"))
	a.isAbsent("a number", "13800138000")
	if probe.found != 2 {
		t.Errorf("found %d of 2", probe.found)
	}
}

// scanProbe counts errors in place of failing.
type scanProbe struct {
	testing.TB
	found int
}

func (p *scanProbe) Errorf(string, ...any) { p.found++ }
func (p *scanProbe) Helper()               {}
