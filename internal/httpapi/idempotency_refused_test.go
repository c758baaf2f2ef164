package httpapi

import (
	"testing"
	"time"

	"smsd/internal/policy"
	"smsd/internal/throttle"
)

// Whoever guesses writes nothing, and every guess is counted.
func TestWrongVerifiesWriteNothing(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t)
	id, code := a.sent(alice)
	for left := 4; left >= 0; left-- {
		if r := a.verifyUnder("k", id, wrong(code)); r.code() != "code_incorrect" || r.number("attempts_left") != left {
			t.Errorf("answer %d %s, want %d attempts left", r.status, r.body, left)
		}
	}
	a.want(a.verifyUnder("k", id, code), 410, "attempts_exhausted")
	a.want(a.verifyUnder("k", "6f9619ff-8b86-4011-b42d-00c04fc964ff", code), 404, "verification_not_found")
	if n := entries.count("begin") + entries.count("forget"); n != 0 {
		t.Errorf("written %d times", n)
	}
}

// What is refused or surely came to nothing is not stored, and writes nothing where nothing was charged: the same key
// passes later, with the same or other content.
func TestRefusalsAreNotStored(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t)
	a.sent(alice)
	a.want(a.sendUnder("k", alice), 429, "rate_limited")
	a.want(a.sendUnder("k", "12"), 422, "invalid_phone")
	a.want(a.under("k", "send", `{"phone":"+8613800138000","scene":"nothing"}`), 422, "unknown_scene")
	a.want(a.under("k", "send", `{}`), 400, "invalid_request")
	if n := entries.count("begin") + entries.count("forget"); n != 0 {
		t.Errorf("written %d times", n)
	}
	for fault, want := range map[string]int{"reject": 422, "unavailable": 502, "throttle": 429} {
		a.operate("PUT", "/mock/faults", `{"fault":"`+fault+`","phone":"+447911123456","times":1}`)
		if r := a.sendUnder("k", "+447911123456"); r.status != want {
			t.Errorf("%s: answer %d %s", fault, r.status, r.body)
		}
	}
	a.clock.Advance(time.Minute)
	a.want(a.sendUnder("k", alice), 200, "")
	a.wantMessages(2)
}

// Who is refused in front of the look-up of a key is told the wait that it is told without one: that of the rules, where they say more
// than the local limiters, who have a token a second later.
func TestRefusedUnderAKeyTheWaitIsTrue(t *testing.T) {
	t.Parallel()
	p, _, err := policy.Parse([]byte("limits: [{name: one, by: [ip], limit: 1, window: 1m, on: verify}]\n" +
		"scenes: {login: {templates: {en: '{{.Code}}'}, limits: [{name: cooldown, by: [phone], limit: 1, window: 1m}]}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	a, entries := newOnceAPI(t, func(s *setup) {
		s.policy = p
		s.local = throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 1, IPBurst: 2, Now: func() time.Time { return start }}
	})
	id, code := a.sent(alice)
	a.want(a.resend(id), 429, "rate_limited")
	a.want(a.verify(id, wrong(code)), 422, "code_incorrect")
	a.want(a.verify(id, wrong(code)), 429, "rate_limited")
	looked := entries.count("find")
	for call, pair := range map[string][2]*reply{
		"send":   {a.sendTo(alice), a.sendUnder("k", alice)},
		"resend": {a.resend(id), a.under("k", "resend", `{"sms_id":`+quote(id)+`}`)},
		"verify": {a.verify(id, code), a.verifyUnder("k", id, code)},
	} {
		for i, r := range pair {
			a.want(r, 429, "rate_limited")
			if wait := r.header.Get("Retry-After"); wait != "60" {
				t.Errorf("%s, under a key: %v: wait %q, want 60", call, i == 1, wait)
			}
		}
	}
	if n := entries.count("find"); n != looked {
		t.Errorf("%d looks at the store", n-looked)
	}
}

// What no rule has spoken of, and what is malformed, is told the wait of a token.
func TestRefusedUnderAKeyTheWaitIsATokens(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t, func(s *setup) {
		s.local = throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 2, IPBurst: 1, Now: func() time.Time { return start }}
	})
	a.sent(alice)
	for _, phone := range []string{"+447911123456", "12"} {
		r := a.sendUnder("k", phone)
		a.want(r, 429, "rate_limited")
		if wait := r.header.Get("Retry-After"); wait != "1" {
			t.Errorf("wait %q, want 1", wait)
		}
	}
}
