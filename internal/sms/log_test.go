package sms_test

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/mock"
	"smsd/internal/sms"
)

// WorkSphere 2149, Skyvern PR 6576: whatever happens, neither the debug log nor an error nor an answer
// holds a code, a whole number or an address.
func TestNothingPersonalIsTold(t *testing.T) {
	t.Parallel()
	r, codes, counters := outage(t, "")
	var told []string
	tell := func(v any, err error) {
		told = append(told, fmt.Sprintf("%+v %v", v, err), fmt.Sprintf("%#v %v", v, err))
	}
	send := func(q sms.SendRequest) sms.Sent { sent, err := r.Send(r.ctx(), q); tell(sent, err); return sent }
	verify := func(q sms.VerifyRequest) { v, err := r.Verify(r.ctx(), q); tell(v, err) }
	resend := func(q sms.ResendRequest) { v, err := r.Resend(r.ctx(), q); tell(v, err) }
	submit := func(sent sms.Sent, code string) {
		verify(sms.VerifyRequest{SMSID: sent.SMSID, Code: code, Phone: alice, Client: home})
	}

	sent := send(ask(alice))
	code := r.codeOf(alice)
	send(ask(alice))
	send(ask("+86 138 0013 80000000"))
	send(ask("+861062801234"))
	send(sms.SendRequest{Phone: alice, Scene: alice, Client: home})
	submit(sent, otherCode(code))
	submit(sent, "12")
	verify(sms.VerifyRequest{SMSID: alice, Code: code, Scene: code, Phone: code, Client: home})
	resend(sms.ResendRequest{SMSID: sent.SMSID, Client: home})
	submit(sent, code)
	submit(sent, code)
	var secrets []string
	for i, fault := range []string{mock.Reject, mock.Throttle, mock.Unavailable, mock.TimeoutAfterAccept, mock.Malformed, mock.Slow} {
		number := fmt.Sprint("+861380013810", i)
		secrets = append(secrets, number[3:])
		r.setFault(fault, number, 1, 0)
		send(ask(number))
	}
	codes.put = true
	send(ask("+8613800138200"))
	codes.put, codes.verify, counters.take = false, true, true
	submit(sent, code)
	send(ask("+8613800138201"))
	counters.take, counters.refund, codes.remove = false, true, true
	submit(sent, code)
	r.setFault(mock.Unavailable, "+8613800138202", 1, 0)
	send(ask("+8613800138202"))

	text := r.log.String() + strings.Join(told, "\n") + r.metrics()
	for _, m := range r.inbox.Messages(mockAll) {
		secrets = append(secrets, m.Code.Reveal())
	}
	secrets = append(secrets, code, otherCode(code), "13800138000", "138200", "138201", "138202", "203.0.113.7", sent.SMSID[9:])
	withoutAnswers := r.log.String() + r.metrics()
	for _, s := range secrets {
		where := text
		if s == sent.SMSID[9:] {
			where = withoutAnswers // the client is told the whole of it
		}
		if strings.Contains(where, s) {
			t.Errorf("%q is told: %s", s, line(where, s))
		}
	}
	if long := regexp.MustCompile(`\+?\d{11,}`).FindString(withoutAnswers); long != "" {
		t.Errorf("%q is told: %s", long, line(withoutAnswers, long))
	}
	for _, must := range []string{"phone=\"+86 138****8000\"", "client=203.0.113.x", "outcome=verified", "gateway=mock", "request_id=request-1", "sms_id=" + sent.SMSID[:8]} {
		if !strings.Contains(r.log.String(), must) {
			t.Errorf("the log lacks %s:\n%s", must, r.log)
		}
	}
}

// line is the line of text in which s stands.
func line(text, s string) string {
	for l := range strings.Lines(text) {
		if strings.Contains(l, s) {
			return l
		}
	}
	return ""
}

func TestRefusalsAreLoggedWithTheirRule(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("limits: [{name: once, by: [phone], limit: 1, window: 1h}]")})
	r.send(ask(alice))
	r.refused(ask(alice))
	for _, want := range []string{"outcome=rate_limited", "rule=login/once", "used=1", "limit=1", "retry_after=1h0m0s", "scene=login"} {
		if !strings.Contains(r.log.String(), want) {
			t.Errorf("the log lacks %s:\n%s", want, r.log)
		}
	}
}

// Under attack the log stays readable, and says what it leaves out; other outcomes are not crowded out.
func TestRefusalsAreSampled(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("limits: [{name: once, by: [phone], limit: 1, window: 1h}]")})
	r.send(ask(alice))
	const attempts = 500
	for range attempts {
		r.refused(ask(alice))
	}
	if n := strings.Count(r.log.String(), "outcome=rate_limited"); n > 25 {
		t.Errorf("%d lines of %d refusals", n, attempts)
	}
	r.sendFails(ask(""), field("/phone", "required"))
	if !strings.Contains(r.log.String(), "outcome=invalid_request") {
		t.Error("another outcome was crowded out")
	}
	r.wall.advance(time.Second)
	for range 21 {
		r.refused(ask(alice))
	}
	if want := fmt.Sprintf("left_out=%d", attempts-20-1+1); !strings.Contains(r.log.String(), want) {
		t.Errorf("the log lacks %s:\n%s", want, r.log)
	}
	r.metric(fmt.Sprintf(`smsd_sends_total{action="send",outcome="rate_limited",scene="login"} %d`, attempts+21))
}

func TestMetrics(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with()})
	sent := r.send(ask(alice))
	r.resend(sent.SMSID)
	r.sendFails(sms.SendRequest{Scene: "made up", Phone: alice}, sms.ErrUnknownScene)
	r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
	r.verifyRequest(sms.VerifyRequest{SMSID: "x", Code: "123456", Scene: "made up"}, sms.ErrNotFound)
	r.verifyRequest(sms.VerifyRequest{SMSID: "x", Code: "123456", Scene: "login"}, sms.ErrNotFound)
	for _, line := range []string{
		`smsd_sends_total{action="send",outcome="accepted",scene="login"} 1`,
		`smsd_sends_total{action="resend",outcome="accepted",scene="login"} 1`,
		`smsd_sends_total{action="send",outcome="unknown_scene",scene="other"} 1`,
		`smsd_verifies_total{outcome="code_incorrect",scene="login"} 1`,
		`smsd_verifies_total{outcome="verified",scene="login"} 1`,
		`smsd_verifies_total{outcome="verification_not_found",scene="other"} 1`,
		`smsd_verifies_total{outcome="verification_not_found",scene="login"} 1`,
		`smsd_failed_steps_total{step="refund"} 0`,
	} {
		r.metric(line)
	}
}

// What is sent and what is verified is told apart by country: each verification once, whatever is sent again or guessed.
func TestVerificationsAreCountedByCountry(t *testing.T) {
	t.Parallel()
	const tester = "+8613800000000"
	r := newRig(t, setup{policy: with() + `test_numbers: [{phone: "` + tester + `", code: "482915", until: 2126-12-31}]`})
	sent := r.send(ask(alice))
	r.resend(sent.SMSID)
	r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
	r.send(ask(bob))
	r.sendFails(sms.SendRequest{Scene: "made up", Phone: alice}, sms.ErrUnknownScene)
	r.verifies(r.send(ask(tester)).SMSID, "482915", nil)
	r.metric(`smsd_verifications_total{country="CN",state="accepted"} 1`)
	r.metric(`smsd_verifications_total{country="CN",state="verified"} 1`)
	r.metric(`smsd_verifications_total{country="GB",state="accepted"} 1`)
	r.metric(`smsd_verifications_total{country="GB",state="verified"} 0`) // a share of nothing verified can be asked for
	if n := strings.Count(r.metrics(), "smsd_verifications_total"); n != 4 {
		t.Errorf("%d of them:\n%s", n, r.metrics())
	}
}

// The cause of a gateway's failure is for the log alone.
func TestGatewayFailuresAreLoggedWithTheirCause(t *testing.T) {
	t.Parallel()
	cause := errors.New("signature not approved")
	r := newRig(t, setup{driver: scripted{&gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: cause}}})
	r.sendFails(ask(alice), sms.ErrGatewayFailed)
	if !strings.Contains(r.log.String(), "signature not approved") || !strings.Contains(r.log.String(), "level=WARN") {
		t.Errorf("log:\n%s", r.log)
	}
}
