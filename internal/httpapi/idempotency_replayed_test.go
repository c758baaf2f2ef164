package httpapi

import (
	"fmt"
	"testing"
	"time"

	"smsd/internal/throttle"
)

func TestSendIsReplayed(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	first := a.sendUnder(`"8e03978e-40d5-43dd-bc93-6894a57f9324"`, alice)
	a.want(first, 200, "")
	a.replays(a.sendUnder("8e03978e-40d5-43dd-bc93-6894a57f9324", alice), first)
	a.replays(a.under("8e03978e-40d5-43dd-bc93-6894a57f9324", "send", "{ \"scene\" : \"login\",\n\t\"phone\":\"\\u002b8613800138000\" }"), first)
	a.wantMessages(1)
	a.clock.Advance(24*time.Hour - time.Millisecond)
	a.replays(a.sendUnder("8e03978e-40d5-43dd-bc93-6894a57f9324", alice), first)
	a.wantMessages(1)
	a.clock.Advance(time.Millisecond)
	if again := a.sendUnder("8e03978e-40d5-43dd-bc93-6894a57f9324", alice); again.status != 200 || again.text("sms_id") == first.text("sms_id") {
		t.Errorf("after a day: %d %s", again.status, again.body)
	}
}

func TestResendIsReplayed(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	id, _ := a.sent(alice)
	body := `{"sms_id":` + quote(id) + `}`
	a.want(a.under("k", "resend", body), 429, "rate_limited")
	a.clock.Advance(time.Minute)
	first := a.under("k", "resend", body)
	a.want(first, 200, "")
	a.clock.Advance(time.Minute)
	a.replays(a.under("k", "resend", body), first)
	a.wantMessages(2)
	a.want(a.under("k2", "resend", body), 200, "")
	a.wantMessages(3)
}

// A verify whose answer was lost is no code_used to whoever repeats it, and to everybody else it is.
func TestVerifyIsReplayed(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	id, code := a.sent(alice)
	first := a.verifyUnder("k", id, code)
	a.want(first, 200, "")
	a.replays(a.verifyUnder("k", id, code), first)
	a.want(a.verifyUnder("k2", id, code), 410, "code_used")
	a.want(a.verify(id, code), 410, "code_used")
	a.want(a.verifyUnder("k", id, wrong(code)), 422, "idempotency_mismatch")
	a.clock.Advance(time.Minute - time.Millisecond)
	a.replays(a.verifyUnder("k", id, code), first)
	a.clock.Advance(time.Millisecond)
	a.want(a.verifyUnder("k", id, code), 410, "code_used")
}

// Who goes from one network to another repeats the same request.
func TestRepeatedFromAnotherAddress(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	first := a.sendUnder("k", alice)
	r := request("POST", "http://127.0.0.1:8080/api/v1/sms/send", `{"phone":"+8613800138000","scene":"login"}`, "Idempotency-Key", "k")
	r.RemoteAddr = "198.51.100.1:1"
	a.replays(a.do(a.public, r), first)
}

// Whether it arrived or not: an unknown delivery is an answer like another, and no reason to send again.
func TestUnknownDeliveryIsReplayed(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	a.operate("PUT", "/mock/faults", `{"fault":"timeout_after_accept","phone":"","times":1}`)
	first := a.sendUnder("k", alice)
	if first.text("delivery") != "unknown" {
		t.Fatalf("answer %d %s", first.status, first.body)
	}
	a.replays(a.sendUnder("k", alice), first)
	a.wantMessages(1)
}

// Look-ups are no way around the local limiters: each takes a place, and without one nothing is looked up.
func TestReplaysAreLimited(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t, func(s *setup) {
		s.local = throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 0.001, IPBurst: 3}
	})
	first := a.sendUnder("k", alice)
	a.replays(a.sendUnder("k", alice), first)
	a.replays(a.sendUnder("k", alice), first)
	reads := entries.count("find")
	a.want(a.sendUnder("k", alice), 429, "rate_limited")
	a.want(a.sendUnder("k2", alice), 429, "rate_limited")
	if n := entries.count("find") - reads; n != 0 {
		t.Errorf("%d look-ups without a place", n)
	}
}

// Refusals that cost no trip are no way around them either: somebody whose number has to wait asks again and again, under a
// new key each time. The limits refuse from memory, which takes no place, but to look the keys up must.
func TestRefusedUnderNewKeysIsLimited(t *testing.T) {
	t.Parallel()
	const places = 5
	a, entries := newOnceAPI(t, func(s *setup) {
		s.local = throttle.LocalOptions{Rate: 1e6, Burst: 1e6, IPRate: 0.001, IPBurst: places}
		s.linger = time.Nanosecond
	})
	a.sent(alice)
	for i := range 5 * places {
		a.want(a.sendUnder(fmt.Sprint("new-", i), alice), 429, "rate_limited")
	}
	if n := entries.count("find"); n > 2*places {
		t.Errorf("%d look-ups with %d places", n, places)
	}
}
