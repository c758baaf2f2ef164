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
	for gateway, throttled := range map[string]string{
		"mock-aliyun": "429 rate_limited", "mock-tencent": "429 rate_limited", "mock-twilio": "429 rate_limited", "mock-vonage": "429 rate_limited",
		"mock-aws": "502 gateway_failed", // which names no limit on one number
	} {
		t.Run(gateway, func(t *testing.T) {
			t.Parallel()
			s := start(t, rules("", longCode), offline(t, gateway))
			id, code := s.sent(alice)
			s.wants(s.verify(id, code), "200")
			for _, c := range []struct{ fault, phone, outcome, code string }{
				{"reject", alice, "422 undeliverable", ""},
				{"throttle", alice, throttled, ""},
				{"unavailable", alice, "502 gateway_failed", ""},
				{"", "+12025550111", "422 undeliverable", ""},
				{"", "+12025550121", "502 gateway_failed", ""},
				{"", "+12025550151", throttled, ""},
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

// However often a fault comes in a row, the client gets what the table of faults says of it: no gateway for tests is left alone since it
// fails, and when the fault is over it takes messages at once.
func TestFaultsAreTheSameEveryTime(t *testing.T) {
	t.Parallel()
	for _, gateway := range []string{"mock", "mock-aliyun", "mock-tencent", "mock-twilio", "mock-vonage"} {
		t.Run(gateway, func(t *testing.T) {
			t.Parallel()
			s := start(t, rules(""), offline(t, gateway))
			for _, c := range []struct{ fault, number, outcome, delivery string }{
				{"reject", "+12025550110", "422 undeliverable", ""},
				{"throttle", "+12025550150", "429 rate_limited", ""},
				{"unavailable", "+12025550120", "502 gateway_failed", ""},
				{"timeout_before_accept", "", "200", "unknown"},
				{"timeout_after_accept", "+12025550130", "200", "unknown"},
				{"malformed", "", "200", "unknown"},
				{"slow", "", "200", "accepted"},
			} {
				s.faultForAll(c.fault)
				s.again(20, alice, c.outcome, c.delivery)
				s.do("DELETE", s.admin+"/mock/faults", nil)
				s.again(1, alice, "200", "accepted")
				if c.number != "" {
					s.again(20, c.number, c.outcome, c.delivery)
					s.again(1, "+12025550100", "200", "accepted")
				}
			}
		})
	}
}

// faultForAll makes the gateway misbehave until it is told otherwise.
func (s *service) faultForAll(kind string) {
	s.t.Helper()
	set := fields{"fault": kind, "times": 0}
	if kind == "slow" {
		set["delay"] = "5ms"
	}
	if a := s.do("PUT", s.admin+"/mock/faults", set); a.status != 204 {
		s.t.Fatal(a)
	}
}

// again sends n times, each of which must come to the same.
func (s *service) again(n int, phone, outcome, delivery string) {
	s.t.Helper()
	for range n {
		if a := s.wants(s.send(phone), outcome); a.text("delivery") != delivery {
			s.t.Fatalf("%s, want delivery %q", a, delivery)
		}
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

// What a tester says of a message is what its carrier says, offline too: it arrived or not, and neither is verified.
func TestReceiptsOffline(t *testing.T) {
	t.Parallel()
	for _, gateway := range []string{"mock", "mock-aliyun", "mock-aws", "mock-tencent", "mock-twilio", "mock-vonage"} {
		t.Run(gateway, func(t *testing.T) {
			t.Parallel()
			s := start(t, rules("", longCode), offline(t, gateway))
			id, code := s.sent(alice)
			s.told(fields{"sms_id": id, "state": "undelivered", "reason": "bad_number"})
			s.becomes(id, "failed")
			s.told(fields{"phone": alice, "state": "delivered"})
			s.becomes(id, "delivered")
			s.told(fields{"sms_id": id, "state": "undelivered"})
			s.becomes(id, "delivered")
			s.wants(s.verify(id, code), "200")
			s.told(fields{"sms_id": id, "state": "delivered"})
			s.becomes(id, "verified")
			if said := s.metrics(); !strings.Contains(said, `smsd_gateway_receipts_total{gateway="`+gateway+`",state="delivered"} 2`) {
				t.Error("the metrics do not say which gateway was told of")
			}
			tellsNobody(s, gateway)
		})
	}
}

// Of several gateways each reports on its own messages.
func TestReceiptsOfSeveralOffline(t *testing.T) {
	t.Parallel()
	s := start(t, rules(""), offline(t, "mock-aliyun,mock-tencent,mock"))
	for failing, gateway := range []string{"mock-aliyun", "mock-tencent", "mock"} {
		if failing > 0 {
			s.wants(s.do("PUT", s.admin+"/mock/faults", fields{"fault": "unavailable", "phone": alice, "times": failing}), "204")
		}
		id, _ := s.sent(alice)
		if by := s.inbox("")[0].Gateway; by != gateway {
			t.Fatalf("%s took it, want %s", by, gateway)
		}
		s.told(fields{"sms_id": id, "state": "delivered"})
		s.becomes(id, "delivered")
	}
}

// A vendor offline knows what the vendor knows: Tencent Cloud's word names a message by its own id alone, and that was lost with the
// answer. Nobody else has a word: the endpoint for carriers is closed.
func TestReceiptsOfALostAnswerOffline(t *testing.T) {
	t.Parallel()
	for gateway, want := range map[string]string{"mock-aliyun": "delivered", "mock-tencent": "unknown", "mock-twilio": "delivered", "mock-vonage": "delivered"} {
		s := start(t, rules(""), offline(t, gateway))
		s.fault("timeout_after_accept", alice, "")
		id, _ := s.sent(alice)
		s.told(fields{"sms_id": id, "state": "delivered"})
		until(t, gateway+": "+want, func() bool {
			a := s.get("/api/v1/sms/" + id)
			return a.text("state") == want || a.text("delivery") == want
		})
		s.wants(s.do("POST", s.api+"/api/v1/gateways/"+gateway+"/receipts", fields{}), "404 not_found")
	}
}

// told has the carrier report on a message of the inbox.
func (s *service) told(said fields) {
	s.t.Helper()
	s.wants(s.do("POST", s.admin+"/mock/receipts", said), "204")
}

// becomes waits until a verification has a state: whose a message is may be on its way to the records still.
func (s *service) becomes(id, state string) {
	s.t.Helper()
	var last string
	until(s.t, state, func() bool { last = s.get("/api/v1/sms/" + id).text("state"); return last == state })
}
