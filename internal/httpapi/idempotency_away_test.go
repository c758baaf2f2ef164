package httpapi

import (
	"bytes"
	"errors"
	"testing"
	"time"
)

// The database is away: a request with a key is answered 503 before it is charged, others go on.
func TestNoPlaceForKeys(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t)
	entries.set(entries.before, "find", errors.New("away"))
	id, code := a.sent("+8613900139000")
	for _, r := range []*reply{a.sendUnder("k", alice), a.verifyUnder("k", id, code), a.under("k", "resend", `{"sms_id":`+quote(id)+`}`)} {
		a.want(r, 503, "unavailable")
	}
	a.want(a.verify(id, code), 200, "")
	a.sent(alice) // not charged by what was answered 503
	entries.set(entries.before, "find", nil)
	entries.set(entries.before, "begin", errors.New("away"))
	a.want(a.sendUnder("k", "+8613700137000"), 503, "unavailable")
	a.sent("+8613700137000") // given back
	a.wantMessages(3)
	without := newAPI(t)
	a.want(without.sendUnder("k", alice), 503, "unavailable")
}

// A verify that can't be announced uses no code up.
func TestVerifyThatCannotBegin(t *testing.T) {
	t.Parallel()
	for name, after := range map[string]bool{"nothing written": false, "written all the same": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a, entries := newOnceAPI(t)
			when := entries.before
			if after {
				when = entries.after
			}
			id, code := a.sent(alice)
			entries.set(when, "begin", errors.New("away"))
			a.want(a.verifyUnder("k", id, code), 503, "unavailable")
			entries.set(when, "begin", nil)
			first := a.verifyUnder("k", id, code)
			a.want(first, 200, "")
			a.replays(a.verifyUnder("k", id, code), first)
		})
	}
}

// The answer of a send could not be stored: a repetition waits, and then hears what is still known.
func TestSendThatCouldNotFinish(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t)
	entries.set(entries.before, "finish", errors.New("away"))
	first := a.sendUnder("k", alice)
	a.want(first, 200, "")
	entries.set(entries.before, "finish", nil)
	a.want(a.sendUnder("k", alice), 409, "request_in_progress")
	a.clock.Advance(15 * time.Second)
	again := a.sendUnder("k", alice)
	a.want(again, 200, "")
	for field, want := range map[string]string{"sms_id": first.text("sms_id"), "scene": "login", "phone": "+86 138****8000", "expires_at": first.text("expires_at"), "delivery": "unknown"} {
		if got := again.text(field); got != want {
			t.Errorf("%s is %q, want %q", field, got, want)
		}
	}
	for field, want := range map[string]int{"code_length": 6, "attempts": 5, "resend_in": 45} {
		if got := again.number(field); got != want {
			t.Errorf("%s is %d, want %d", field, got, want)
		}
	}
	if in := again.number("expires_in"); in < 280 || in > 285 {
		t.Errorf("expires in %d s, want 285", in)
	}
	a.clock.Advance(time.Minute)
	if r := a.sendUnder("k", alice); !bytes.Equal(r.body, again.body) || r.header.Get("Idempotency-Replayed") != "true" {
		t.Errorf("the same, and then %s", r.body)
	}
	a.want(a.verify(first.text("sms_id"), a.code(first.text("sms_id"))), 200, "")
	a.wantMessages(1)
}

// What became of it is not known any more: nothing is sent under that key for a day.
func TestOutcomeUnknown(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t)
	entries.set(entries.before, "finish", errors.New("away"))
	a.want(a.sendUnder("k", alice), 200, "")
	entries.set(entries.before, "finish", nil)
	for _, later := range []time.Duration{time.Hour, 22 * time.Hour} {
		a.clock.Advance(later)
		a.want(a.sendUnder("k", alice), 409, "outcome_unknown")
	}
	a.wantMessages(1)
	a.want(a.sendUnder("another", alice), 200, "")
}

// The code is used up, and nobody stored the answer: whoever used it hears it again, nobody else.
func TestVerifyThatCouldNotFinish(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t)
	id, code := a.sent(alice)
	entries.set(entries.before, "finish", errors.New("away"))
	first := a.verifyUnder("k", id, code)
	a.want(first, 200, "")
	entries.set(entries.before, "finish", nil)
	a.want(a.verifyUnder("k", id, code), 409, "request_in_progress")
	a.want(a.verifyUnder("k2", id, code), 410, "code_used")
	a.clock.Advance(5 * time.Second)
	a.want(a.verifyUnder("k2", id, code), 410, "code_used")
	again := a.verifyUnder("k", id, code)
	for _, r := range []*reply{first, again} { // the second token is made anew, and of the two one can be used
		token := r.text("token")
		r.body = bytes.Replace(r.body, []byte(token), nil, 1)
		if status := map[*reply]int{first: 200, again: 409}[r]; a.consume(token, "").status != status {
			t.Errorf("token %q: want %d", token, status)
		}
	}
	a.replays(again, first)
}
