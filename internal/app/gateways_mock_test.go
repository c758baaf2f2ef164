package app

import (
	"strings"
	"testing"

	"smsd/internal/config"
)

// offline is what SMSD_GATEWAY says.
func offline(t *testing.T, gateway string) setting {
	t.Helper()
	cfg, err := config.Load(config.Options{Environ: []string{"SMSD_GATEWAY=" + gateway}})
	if err != nil {
		t.Fatal(err)
	}
	return func(c *config.Config) { c.Gateway, c.Gateways = cfg.Gateway, cfg.Gateways }
}

// Each vendor offline: what the client gets by each fault, set or brought along by the number, and what the inbox has then.
func TestVendorsOffline(t *testing.T) {
	t.Parallel()
	for _, gateway := range []string{"mock-aliyun", "mock-tencent", "mock-twilio", "mock-vonage"} {
		t.Run(gateway, func(t *testing.T) {
			t.Parallel()
			s := start(t, rules(""), offline(t, gateway))
			id, code := s.sent(alice)
			s.wants(s.verify(id, code), "200")
			for _, c := range []struct{ fault, phone, outcome, code string }{
				{"reject", alice, "422 undeliverable", ""},
				{"throttle", alice, "429 rate_limited", ""},
				{"unavailable", alice, "502 gateway_failed", ""},
				{"", "+12025550111", "422 undeliverable", ""},
				{"", "+12025550121", "502 gateway_failed", ""},
				{"", "+12025550151", "429 rate_limited", ""},
			} {
				if c.fault != "" {
					s.fault(c.fault, c.phone, "")
				}
				s.wants(s.send(c.phone), c.outcome)
			}
			s.countMessages(1)
			for _, fault := range []string{"timeout_before_accept", "timeout_after_accept", "malformed"} {
				s.fault(fault, bob, "")
				if a := s.wants(s.send(bob), "200"); a.text("delivery") != "unknown" {
					t.Errorf("%s: %s", fault, a)
				}
			}
			s.countMessages(3)
			tellsNobody(s, gateway)
		})
	}
}

// tellsNobody sees that neither the log nor the metrics hold a number or a code of the inbox, and that both name the gateway.
func tellsNobody(s *service, gateway string) {
	s.t.Helper()
	log, metrics := s.log.String(), s.metrics()
	for _, m := range s.inbox("") {
		for _, hidden := range []string{m.Code, m.Phone[len(m.Phone)-8:], m.Text} {
			if strings.Contains(log, hidden) || strings.Contains(metrics, hidden) {
				s.t.Error("the log or a metric holds a number, a code or a text")
			}
		}
	}
	if !strings.Contains(log, "gateway="+gateway) || !strings.Contains(metrics, `gateway="`+gateway+`"`) {
		s.t.Error("the log or the metrics do not name the gateway")
	}
	if raw := string(s.do("GET", s.admin+"/mock/messages", nil).raw); !strings.Contains(raw, `"gateway":"`+gateway+`"`) {
		s.t.Error("the inbox does not name the gateway")
	}
	if welcome := s.app.welcome(); !strings.Contains(welcome, "/mock/") || !strings.Contains(welcome, gateway) {
		s.t.Errorf("who starts it is not told where the inbox is: %s", welcome)
	}
}

// Messages of a vendor's fake reach nobody, so production does not start with one.
func TestProductionRefusesVendorsOffline(t *testing.T) {
	t.Parallel()
	cfg, err := config.Load(config.Options{Environ: []string{"SMSD_PROFILE=production", "SMSD_GATEWAY=mock-aliyun"}})
	if err == nil {
		err = checkGateways(cfg).Err()
	}
	if err == nil || !strings.Contains(err.Error(), "allow_mock") {
		t.Errorf("%v", err)
	}
}
