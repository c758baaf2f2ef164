package app

import (
	"fmt"
	"testing"
)

// guesses lets a number have ten wrong codes an hour.
const guesses = "{name: guesses, by: [phone, scene], limit: 10, window: 1h, on: guess}"

// Single use, races, attempts.
func TestCasesSingleUse(t *testing.T) {
	t.Parallel()
	survive(t, []report{
		{"better-auth PR 8067, 3253", rules(""), fiftyRightAtOnce},
		{"zendvo PR 353", rules(""), fiftyWrongAtOnce},
		{"otpgateway 23, otp-jwt 5", rules(""), wrongThenRight},
		{"better-auth PR 8560, Clinical-Insight-Engine 2351", rules(""), resendKeepsAttempts},
		{"better-auth PR 8560, where resends rotate", rules("", " resend: rotate"), resendKeepsAttempts},
		{"kratos PR 4606", rules(guesses), guessesOverManyIDs},
		{"identity-idp#2388, dearmep#162, ezauth#196", "", strangerAtWork},
		{"press PR 7078", rules(guesses), anotherScene},
		{"convex-auth 243", rules(""), anotherID},
		{"better-auth 541, rallly PR 2439", rules(""), twoSends},
		{"rallly PR 2439, where resends rotate", rules("", " resend: rotate"), rotation},
		{"openwisp-radius PR 790, care PR 3630", rules("{name: five, by: [phone], limit: 5, window: 1h}"), hundredSendsAtOnce},
		{"wso2 product-is 27963", rules(cooldown), newSession},
	})
}

func fiftyRightAtOnce(s *service) {
	id, code := s.sent(alice)
	got := together(50, func(int) answer { return s.verify(id, code) })
	if got["200"] != 1 || got["410 code_used"] != 49 {
		s.t.Errorf("answers %v", got)
	}
	s.wants(s.verify(id, code), "410 code_used")
}

func fiftyWrongAtOnce(s *service) {
	id, code := s.sent(alice)
	got := together(50, func(int) answer { return s.verify(id, otherCode(code)) })
	if got["422 code_incorrect"] != 5 || got["410 attempts_exhausted"] != 45 {
		s.t.Errorf("answers %v", got)
	}
	s.wants(s.verify(id, code), "410 attempts_exhausted")
}

func wrongThenRight(s *service) {
	for wrong := 1; wrong <= 4; wrong++ {
		id, code := s.sent(alice)
		for i := range wrong {
			s.wrong(s.verify(id, otherCode(code)), 4-i)
		}
		s.wants(s.verify(id, code), "200")
	}
	id, code := s.sent(alice)
	for left := 4; left >= 0; left-- {
		s.wrong(s.verify(id, otherCode(code)), left)
	}
	s.wants(s.verify(id, code), "410 attempts_exhausted")
}

func resendKeepsAttempts(s *service) {
	id, code := s.sent(alice)
	expires := ""
	for left := 4; left > 0; left-- {
		s.wrong(s.verify(id, otherCode(code)), left)
		again := s.wants(s.resend(id), "200")
		if again.number("attempts") != left || again.text("sms_id") != id {
			s.t.Errorf("resend: %s, want %d attempts", again, left)
		}
		if at := again.text("expires_at"); expires != "" && at != expires {
			s.t.Errorf("the end moved from %s to %s", expires, at)
		}
		expires, code = again.text("expires_at"), s.codeOf(id)
	}
	s.wrong(s.verify(id, otherCode(code)), 0)
	s.wants(s.resend(id), "410 attempts_exhausted")
	s.wants(s.verify(id, code), "410 attempts_exhausted")
	s.countMessages(5)
}

func guessesOverManyIDs(s *service) {
	ids, codes := [3]string{}, [3]string{}
	for i := range ids {
		ids[i], codes[i] = s.sent(alice)
	}
	for n := range 10 {
		s.wrong(s.verify(ids[n%3], otherCode(codes[n%3])), 4-n/3)
	}
	s.wants(s.send(alice), "429 rate_limited")
	s.wants(s.resend(ids[2]), "429 rate_limited")
	s.wants(s.send(bob), "200")
	s.wants(s.post("send", fields{"phone": alice, "scene": "register"}), "200")
	s.wants(s.verify(ids[2], codes[2]), "200") // never the check of a code that is out
	s.countMessages(5)
}

func strangerAtWork(s *service) {
	id, code := s.sent(alice)
	for i := range 90 {
		stranger := s.forwarded(fmt.Sprintf("198.51.%d.9", i))
		stranger.send(alice)
		stranger.post("verify", fields{"sms_id": noSuchID, "code": "123456", "phone": alice})
	}
	s.wants(s.send(alice), "429 rate_limited")
	s.wants(s.verify(id, code), "200")
}

func anotherScene(s *service) {
	id := s.wants(s.post("send", fields{"phone": alice, "scene": "register"}), "200").text("sms_id")
	code := s.codeOf(id)
	for left, scene := range []string{"LOGIN", "no_such_scene", "reset_password"} {
		s.wrong(s.post("verify", fields{"sms_id": id, "code": code, "scene": scene}), 4-left)
	}
	s.wrong(s.post("verify", fields{"sms_id": id, "code": code, "phone": bob}), 1)
	s.wants(s.post("verify", fields{"sms_id": id, "code": code, "scene": "register", "phone": alice}), "200")
}

func anotherID(s *service) {
	idA, codeA := s.sent(alice)
	idB, codeB := s.sent(bob)
	for codeA == codeB { // once in a million
		idB, codeB = s.sent(bob)
	}
	s.wrong(s.verify(idB, codeA), 4)
	s.wrong(s.verify(idA, codeB), 4)
	s.wants(s.verify(idB, codeB), "200")
	s.wants(s.verify(idA, codeA), "200")
}

func twoSends(s *service) {
	first, firstCode := s.sent(alice)
	second, secondCode := s.sent(alice)
	s.wants(s.verify(first, firstCode), "200")
	s.wants(s.verify(second, secondCode), "200")
	s.wants(s.verify(first, firstCode), "410 code_used")
}

func rotation(s *service) {
	id, old := s.sent(alice)
	fresh := old
	for fresh == old { // once in a million
		s.wants(s.resend(id), "200")
		fresh = s.codeOf(id)
	}
	s.wrong(s.verify(id, old), 4)
	s.wants(s.verify(id, fresh), "200")
	s.wants(s.verify(id, fresh), "410 code_used")
}

func hundredSendsAtOnce(s *service) {
	got := together(100, func(int) answer { return s.send(alice) })
	if got["200"] != 5 || got["429 rate_limited"] != 95 {
		s.t.Errorf("answers %v", got)
	}
	s.countMessages(5)
}

func newSession(s *service) {
	s.sent(alice)
	for _, name := range []string{"Cookie", "User-Agent", "Proxy-Authorization", "X-Device-Id", "X-Request-Id", "Accept-Language"} {
		s.wants(s.with(name, "another").send(alice), "429 rate_limited")
	}
	fresh := newCaller(s.t, s.api, s.admin).forwarded("198.51.100.9") // a connection and an address of its own
	s.wants(fresh.post("send", fields{"phone": alice, "scene": "login", "device_id": "another", "locale": "zh"}), "429 rate_limited")
	s.countMessages(1)
}
