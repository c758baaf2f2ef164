package app

import (
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"smsd/internal/config"
)

// Limits and addresses.
func TestCasesLimits(t *testing.T) {
	t.Parallel()
	perAddress := rules("{name: ip, by: [ip], limit: 1, window: 1h}")
	survive(t, []report{
		{"qryptchat-web PR 79, TravellersMeet 410, behind a proxy", perAddress, forwardedBehindAProxy},
		{"better-auth PR 7300, AspNetCoreRateLimit#32, authelia#13151", perAddress, oneHostOneBucket},
		{"supabase/auth PR 788", rules("{name: device, by: [device], limit: 1, window: 1h}, {name: ip, by: [ip], limit: 5, window: 1h}, " + cooldown), oddFields},
		{"activepieces PR 14751", rules(cooldown), throttledResend},
		{"fxa PR 18419", rules("{name: two, by: [phone], limit: 2, window: 1h}"), refusedAtSend},
		{"supabase/cli 3656", rules(cooldown+", {name: ip, by: [ip], limit: 1, window: 1h}",
			`test_numbers: [{phone: "+8613800138000", code: "0000", until: 2099-12-31}]`), testNumberInALoop},
		{"limiters#48", rules("{name: device, by: [device], limit: 1, window: 1h}"), oddIDs},
		{"go-redisstore#10, APIcast#667, boulder#8785", rules("{name: hour, by: [phone], limit: 2, window: 1h}"), raisedLimit},
		{"envoyproxy/ratelimit#185", rules("{name: hour, by: [phone], limit: 10, window: 1h}"), refusalsAreNotCounted},
		{"symfony#40705, relay#4787", rules("{name: roomy, by: [ip], limit: 10, window: 1h}, {name: full, by: [phone], limit: 1, window: 1h}"), allOrNothing},
		{"envoy#1077, #1230", rules(cooldown), refusedThenFreed},
		{"tower-governor#65, flask-limiter#62", rules("{name: second, by: [phone], limit: 1, window: 1s}"), waitIsTrue},
	})
}

// qryptchat-web PR 79, TravellersMeet 410, fastapi-limiter#11, Eventra#13384: a peer that nobody trusts writes
// what it likes.
func TestForgedAddressesOfAnUntrustedPeer(t *testing.T) {
	t.Parallel()
	s := start(t, rules("{name: ip, by: [ip], limit: 1, window: 1h}"), func(c *config.Config) {
		c.HTTP.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	s.wants(s.forwarded("198.51.100.1").send(alice), "200")
	for i, forged := range [][]string{nil, {"198.51.100.2"}, {"10.0.0.1"}, {"198.51.100.3, 10.0.0.1"}, {"198.51.100.4", "10.0.0.1"}, {"127.0.0.1"}} {
		s.wants(s.forwarded(forged...).send(fmt.Sprintf("+861380013810%d", i)), "429 rate_limited")
	}
	s.wants(s.forwarded().with("X-Real-Ip", "198.51.100.5").with("Forwarded", "for=198.51.100.5").send("+8613800138110"), "429 rate_limited")
	if n := strings.Count(s.log.String(), "X-Forwarded-For ignored"); n != 1 {
		t.Errorf("%d warnings, want 1", n)
	}
}

func forwardedBehindAProxy(s *service) {
	phones := 0
	send := func(forwarded ...string) answer {
		phones++
		return s.forwarded(forwarded...).send(fmt.Sprintf("+86138001382%02d", phones))
	}
	s.wants(send("203.0.113.1"), "200")
	for _, forged := range [][]string{{"198.51.100.1, 203.0.113.1"}, {"198.51.100.2", "203.0.113.1"}, {"127.0.0.9, 203.0.113.1"},
		{"203.0.113.1, 127.0.0.2"}, {"198.51.100.3, 203.0.113.1, 127.0.0.2"}, {"<script>, 203.0.113.1"}, {"203.0.113.1:4711"}} {
		s.wants(send(forged...), "429 rate_limited")
	}
	s.wants(send("203.0.113.1, 203.0.113.2"), "200") // the right-most that is not trusted
}

func oneHostOneBucket(s *service) {
	phones := 0
	from := func(address, outcome string) {
		s.t.Helper()
		phones++
		s.wants(s.forwarded(address).send(fmt.Sprintf("+8613800139%03d", phones)), outcome)
	}
	from("2001:db8::1", "200")
	for i := range 100 {
		from(fmt.Sprintf("2001:db8:0:0:%x:%x::%x", i*641%65536, i*257, i+2), "429 rate_limited")
	}
	from("[2001:DB8::ffff]:443", "429 rate_limited")
	from("2001:db8:0:1::1", "200")
	from("1.2.3.4", "200")
	from("::ffff:1.2.3.4", "429 rate_limited")
	from("::ffff:102:304", "429 rate_limited")
	from("::1", "200")
	from("0:0:0:0:0:0:0:1", "429 rate_limited")
	from("[::1]", "429 rate_limited")
	from("::0:1", "429 rate_limited")
}

func oddFields(s *service) {
	s.wants(s.post("send", fields{"phone": alice, "scene": "login", "device_id": "d"}), "200")
	for _, more := range []fields{{}, {"device_id": nil}, {"device_id": ""}, {"device_id": " "}, {"device_id": "e"}, {"region": "US"}, {"locale": "xx-nonsense"}, {"region": nil, "locale": nil}} {
		more["phone"], more["scene"] = alice, "login"
		s.wants(s.post("send", more), "429 rate_limited") // the number's limit
	}
	for i := range 4 { // without a device its rule is skipped, and the address's is not
		s.wants(s.send(fmt.Sprintf("+861380013830%d", i)), "200")
	}
	s.wants(s.send("+8613800138309"), "429 rate_limited")
	s.wants(s.forwarded("198.51.100.7").post("send", fields{"phone": bob, "scene": "login", "device_id": "d"}), "429 rate_limited")
}

func throttledResend(s *service) {
	id, code := s.sent(alice)
	for range 3 {
		s.wants(s.resend(id), "429 rate_limited")
	}
	s.countMessages(1)
	s.wants(s.verify(id, code), "200")
}

func refusedAtSend(s *service) {
	_, _ = s.sent(alice)
	id, code := s.sent(alice)
	s.wants(s.send(alice), "429 rate_limited")
	s.wants(s.verify(id, code), "200")
}

func testNumberInALoop(s *service) {
	for range 20 {
		sent := s.wants(s.send(alice), "200")
		if sent.number("code_length") != 4 {
			s.t.Fatalf("send: %s", sent)
		}
		id := sent.text("sms_id")
		s.wants(s.resend(id), "200")
		s.wrong(s.verify(id, "0001"), 4)
		s.wants(s.verify(id, "0000"), "200")
		s.wants(s.verify(id, "0000"), "410 code_used")
	}
	s.countMessages(0)
	s.sent(bob) // the address's only one is still there
	s.wants(s.send("+8613900139000"), "429 rate_limited")
	if !strings.Contains(s.log.String(), "test_numbers=1") {
		s.t.Error("the log does not tell of test numbers")
	}
}

func oddIDs(s *service) {
	for i, id := range []string{"a{x}b", "a{x}", "{x}b", "}", "{", "}{", "a", "a:b", "*", "[a]", strings.Repeat("x", 128)} {
		send := func() answer {
			return s.post("send", fields{"phone": fmt.Sprintf("+86138001384%02d", i), "scene": "login", "device_id": id})
		}
		s.wants(send(), "200")
		s.wants(send(), "429 rate_limited")
	}
}

func raisedLimit(s *service) {
	s.sent(alice)
	s.sent(alice)
	s.wants(s.send(alice), "429 rate_limited")
	s.reload(rules("{name: hour, by: [phone], limit: 4, window: 1h}"))
	for left := 1; left >= 0; left-- {
		a := s.wants(s.send(alice), "200")
		if state, policy := a.header.Get("Ratelimit"), a.header.Get("Ratelimit-Policy"); policy != `"hour";q=4;w=3600` || !strings.HasPrefix(state, fmt.Sprintf(`"hour";r=%d`, left)) {
			s.t.Errorf("RateLimit %s, RateLimit-Policy %s", state, policy)
		}
	}
	s.wants(s.send(alice), "429 rate_limited")
	if !strings.Contains(s.log.String(), "rule=hour used=4 limit=4") {
		s.t.Error("the log does not tell the new limit")
	}
	s.reload(rules("{name: hour, by: [phone], limit: 3, window: 1h}")) // lowering it holds now
	s.wants(s.send(alice), "429 rate_limited")
	s.reload(rules("{name: hour, by: [phone], limit: 5, window: 1s}")) // a shorter window never makes anyone wait longer than it
	until(s.t, "the short window is over", func() bool { return s.send(alice).status == 200 })
}

func refusalsAreNotCounted(s *service) {
	for range 10 {
		s.wants(s.send(alice), "200")
	}
	for range 40 {
		s.wants(s.send(alice), "429 rate_limited")
	}
	s.reload(rules("{name: hour, by: [phone], limit: 20, window: 1h}"))
	for range 10 {
		s.wants(s.send(alice), "200")
	}
	s.wants(s.send(alice), "429 rate_limited")
}

func allOrNothing(s *service) {
	s.sent(alice)
	for range 100 {
		s.wants(s.send(alice), "429 rate_limited")
	}
	for i := range 9 {
		s.wants(s.send(fmt.Sprintf("+861380013850%d", i)), "200")
	}
	s.wants(s.send("+8613800138510"), "429 rate_limited")
}

func refusedThenFreed(s *service) {
	s.sent(alice)
	s.wants(s.send(alice), "429 rate_limited")
	s.resetLimits(alice)
	s.sent(alice)
	s.fault("unavailable", bob, "")
	s.wants(s.send(bob), "502 gateway_failed")
	s.sent(bob)
	s.wants(s.send(bob), "429 rate_limited")
}

func waitIsTrue(s *service) {
	var a answer
	until(s.t, "a second one within the window", func() bool { a = s.send(alice); return a.status != 200 })
	if s.wants(a, "429 rate_limited"); a.number("retry_after") != 1 {
		s.t.Errorf("retry_after %d of a window of one second", a.number("retry_after"))
	}
	until(s.t, "the window is over", func() bool {
		a := s.send(alice)
		if a.status != 200 {
			s.wants(a, "429 rate_limited") // with a wait of at least 1
		}
		return a.status == 200
	})
}
