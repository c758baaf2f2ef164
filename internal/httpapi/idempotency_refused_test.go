package httpapi

import (
	"testing"
	"time"
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
