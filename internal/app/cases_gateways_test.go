package app

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// Gateways.
func TestCasesGateways(t *testing.T) {
	t.Parallel()
	survive(t, []report{
		{"casdoor 1046, then 1291", rules(cooldown + ", {name: ip, by: [ip], limit: 2, window: 1h}"), unavailableGivesBack},
		{"casdoor 1291, undeliverable", rules(cooldown + ", {name: ip, by: [ip], limit: 2, window: 1h}"), undeliverableGivesThePhoneBack},
		{"supabase/auth PR 232", rules(""), slowGateway},
		{"supabase/auth 469", rules(cooldown), nobodyCanTell("malformed", 1)},
		{"OpenWA-plugins PR 119, courier#21", rules(cooldown), nobodyCanTell("timeout_after_accept", 1)},
		{"OpenWA-plugins PR 119, and nothing was accepted", rules(cooldown), nobodyCanTell("timeout_before_accept", 0)},
		{"easy-sms 53, 83", rules(cooldown + ", {name: ip, by: [ip], limit: 2, window: 1h}"), carriersOwnLimit(60)},
		{"care PR 3630, with faults between", rules("{name: five, by: [phone], limit: 5, window: 1h}"), faultsDoNotMoveTheLimit},
	})
}

// The same in the vendors' own words: their drivers, in front of their fakes.
func TestCasesGatewaysOfVendors(t *testing.T) {
	t.Parallel()
	limits := cooldown + ", {name: ip, by: [ip], limit: 2, window: 1h}"
	for gateway, wait := range map[string]int{"mock-aliyun": 60, "mock-tencent": 30, "mock-twilio": 30, "mock-vonage": 0} {
		for _, r := range []report{
			{"casdoor 1046, then 1291", rules(limits), unavailableGivesBack},
			{"casdoor 1291, undeliverable", rules(limits), undeliverableGivesThePhoneBack},
			{"supabase/auth 469", rules(cooldown), nobodyCanTell("malformed", 1)},
			{"OpenWA-plugins PR 119, courier#21", rules(cooldown), nobodyCanTell("timeout_after_accept", 1)},
			{"OpenWA-plugins PR 119, and nothing was accepted", rules(cooldown), nobodyCanTell("timeout_before_accept", 0)},
			{"easy-sms 53, 83", rules(limits), carriersOwnLimit(wait)},
		} {
			t.Run(gateway+", "+r.name, func(t *testing.T) {
				t.Parallel()
				r.try(start(t, r.policy, offline(t, gateway)))
			})
		}
	}
}

// With two gateways on a route: what may have been sent, and what would be refused anywhere, the second never hears of.
func TestCasesGatewaysOnARoute(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		report, fault, outcome string
		took                   string // the gateway with the one message in the inbox; "": there is none
		again                  string // of a second send at once
	}{
		{"casdoor 1046, then 1291", "unavailable", "200", "mock-tencent", "429 rate_limited"},
		{"casdoor 1291, undeliverable", "reject", "422 undeliverable", "", "200"},
		{"supabase/auth PR 232", "slow", "200", "mock-aliyun", "429 rate_limited"},
		{"supabase/auth 469", "malformed", "200", "mock-aliyun", "429 rate_limited"},
		{"OpenWA-plugins PR 119, courier#21", "timeout_after_accept", "200", "mock-aliyun", "429 rate_limited"},
		{"OpenWA-plugins PR 119, and nothing was accepted", "timeout_before_accept", "200", "", "429 rate_limited"},
		{"easy-sms 53, 83", "throttle", "429 rate_limited", "", "200"},
	} {
		t.Run(c.report, func(t *testing.T) {
			t.Parallel()
			s := start(t, rules(cooldown), offline(t, "mock-aliyun,mock-tencent"))
			s.fault(c.fault, alice, "")
			s.wants(s.send(alice), c.outcome)
			took := ""
			for _, m := range s.inbox("") {
				took += m.Gateway
			}
			if took != c.took {
				t.Errorf("%q took it, want %q", took, c.took)
			}
			if asked := strings.Contains(s.metrics(), `smsd_gateway_outcomes_total{gateway="mock-tencent",reason="accepted"} 1`); asked != (c.fault == "unavailable") {
				t.Errorf("the second gateway was asked: %v", asked)
			}
			s.wants(s.send(alice), c.again)
		})
	}
}

// supabase/auth 469: whatever comes for an answer, the taxonomy decides, the message came once, and nothing of it is in the log.
func TestCasesOddAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status int
		body   string
		unsent bool
	}{
		"a page":                 {200, "<html>ECHO</html>", false},
		"an error under a 200":   {200, `{"reason": "temporary", "detail": "ECHO"}`, false},
		"odd JSON":               {200, "[ECHO", false},
		"a page of a proxy":      {502, "<html>ECHO</html>", false},
		"nothing, under a 503":   {503, "", false},
		"nothing, under a 400":   {400, "", true},
		"a reason that is known": {503, `{"reason": "temporary", "detail": "ECHO"}`, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHook(t)
			s := start(t, rules("", longCode), byHook(t, h.URL))
			h.says(func(w http.ResponseWriter) {
				echo := strings.ReplaceAll(string(h.got[len(h.got)-1].raw), `"`, "'")
				w.WriteHeader(c.status)
				fmt.Fprint(w, strings.ReplaceAll(c.body, "ECHO", echo))
			})
			a := s.send(alice)
			m, n := h.newest()
			if (a.code() == "gateway_failed") != c.unsent || (a.text("delivery") == "unknown") == c.unsent || n != 1 {
				t.Errorf("%s, and the message came %d times", a, n)
			}
			nothingOf(s, alice[len(alice)-8:], m.Data.Code, hookSecret)
		})
	}
}

func unavailableGivesBack(s *service) {
	for range 3 {
		s.fault("unavailable", alice, "")
		s.wants(s.send(alice), "502 gateway_failed")
	}
	s.sent(alice)
	s.wants(s.send(alice), "429 rate_limited")
	s.sent(bob) // the second of the address
	s.wants(s.send("+8613900139000"), "429 rate_limited")
	s.countMessages(2)
}

func undeliverableGivesThePhoneBack(s *service) {
	s.fault("reject", alice, "")
	s.wants(s.send(alice), "422 undeliverable")
	s.sent(alice)
	s.wants(s.send(bob), "429 rate_limited") // the address has used its two
	s.wants(s.forwarded("198.51.100.9").send(alice), "429 rate_limited")
	s.countMessages(1)
}

// A gateway that takes 2.5 s: the life of the code begins when it has taken the message. The code is verified in the last second of
// it, where the clock of the stores can be moved; a machine that is busy may need more than one message for that.
func slowGateway(s *service) {
	const delay, life = 2500 * time.Millisecond, 300 * time.Second
	until(s.t, "verified within the life", func() bool {
		asked := time.Now()
		a := s.livesFor(delay, life)
		if s.cfg.Embedded() {
			s.advance(life - time.Second)
		}
		verified := s.verify(a.text("sms_id"), s.codeOf(a.text("sms_id")))
		if tooLate := s.cfg.Embedded() && time.Since(asked) >= delay+time.Second; tooLate && verified.code() == "code_expired" {
			return false
		}
		s.wants(verified, "200")
		return true
	})
}

// livesFor sends by a gateway that takes its time, and sees that the code lives from then on.
func (s *service) livesFor(delay, life time.Duration) answer {
	s.t.Helper()
	s.fault("slow", alice, delay.String())
	asked := time.Now()
	a := s.wants(s.send(alice), "200")
	expires, err := time.Parse(time.RFC3339Nano, a.text("expires_at"))
	if err != nil || a.number("expires_in") != int(life.Seconds()) {
		s.t.Fatalf("%s, %v", a, err)
	}
	if least := asked.Add(delay + life - time.Millisecond); expires.Before(least) { // the stores' clock has whole milliseconds
		s.t.Errorf("expires at %s, that is %s before it should", expires, least.Sub(expires))
	}
	return a
}

// nobodyCanTell is what may have been sent: never sent twice, never given back, and good if it arrived.
func nobodyCanTell(fault string, messages int) func(s *service) {
	return func(s *service) {
		s.fault(fault, alice, "")
		a := s.wants(s.send(alice), "200")
		if a.text("delivery") != "unknown" {
			s.t.Errorf("send: %s", a)
		}
		s.countMessages(messages)
		s.wants(s.send(alice), "429 rate_limited")
		if log := s.log.String(); !strings.Contains(log, "ambiguous") {
			s.t.Error("the log does not tell what the gateway said")
		}
		if messages > 0 {
			s.wants(s.verify(a.text("sms_id"), s.codeOf(a.text("sms_id"))), "200")
		}
	}
}

// carriersOwnLimit is a limit that the carrier has on the number, with its wait in seconds; 0: it does not tell.
func carriersOwnLimit(wait int) func(s *service) {
	return func(s *service) {
		for range 3 {
			s.fault("throttle", alice, "")
			if a := s.wants(s.send(alice), "429 rate_limited"); wait != 0 && a.number("retry_after") != wait {
				s.t.Errorf("the carrier's wait is %d s: %s", wait, a)
			}
		}
		throttledIsTold(s)
		s.countMessages(0)
		s.sent(alice) // everything was given back
		s.sent(bob)
	}
}

func throttledIsTold(s *service) {
	if m := s.metrics(); !strings.Contains(m, `reason="throttled"`) || strings.Contains(m, `smsd_failed_steps_total{step="refund"} 1`) {
		s.t.Error("the metrics do not tell of the carrier's limit, or of a refund that failed")
	}
}

func faultsDoNotMoveTheLimit(s *service) {
	taken := 0
	for i := range 40 {
		kind := []string{"unavailable", "reject", "throttle", "timeout_after_accept", ""}[i%5]
		if kind != "" {
			s.fault(kind, alice, "")
		}
		if s.send(alice).status == 200 {
			taken++
		}
		s.do("DELETE", s.admin+"/mock/faults", nil)
	}
	if taken != 5 {
		s.t.Errorf("%d messages were or may have been taken, want 5", taken)
	}
	s.countMessages(5)
	s.wants(s.send(alice), "429 rate_limited")
}
