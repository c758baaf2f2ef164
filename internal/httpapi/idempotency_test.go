package httpapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"smsd/internal/idempotency"
	"smsd/internal/policy"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// entryFaults is a store of entries whose calls fail when they are told to, before they have done their work or after.
type entryFaults struct {
	idempotency.Store
	mu     sync.Mutex
	before map[string]error
	after  map[string]error
	calls  map[string]int
}

func newEntries(t testing.TB) *entryFaults {
	return &entryFaults{Store: openEntries(t), before: map[string]error{}, after: map[string]error{}, calls: map[string]int{}}
}

func (f *entryFaults) call(name string, do func() error) error {
	f.mu.Lock()
	f.calls[name]++
	before, after := f.before[name], f.after[name]
	f.mu.Unlock()
	if before != nil {
		return before
	}
	return errors.Join(do(), after)
}

func (f *entryFaults) Find(ctx context.Context, id idempotency.ID, now time.Time) (e idempotency.Entry, err error) {
	err = f.call("find", func() error { e, err = f.Store.Find(ctx, id, now); return err })
	return e, err
}

func (f *entryFaults) Begin(ctx context.Context, e idempotency.Entry, now time.Time) error {
	return f.call("begin", func() error { return f.Store.Begin(ctx, e, now) })
}

func (f *entryFaults) Finish(ctx context.Context, id idempotency.ID, answer []byte, until time.Time) error {
	return f.call("finish", func() error { return f.Store.Finish(ctx, id, answer, until) })
}

func (f *entryFaults) Forget(ctx context.Context, e idempotency.Entry) error {
	return f.call("forget", func() error { return f.Store.Forget(ctx, e) })
}

// set makes a call fail; nil: no more.
func (f *entryFaults) set(when map[string]error, call string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	when[call] = err
}

func (f *entryFaults) count(call string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[call]
}

// newOnceAPI is an api with a place for keys.
func newOnceAPI(t testing.TB, change ...func(*setup)) (*api, *entryFaults) {
	entries := newEntries(t)
	return newAPI(t, append([]func(*setup){func(s *setup) { s.entries = entries }}, change...)...), entries
}

// under is a post with a key.
func (a *api) under(key, call, body string) *reply {
	a.Helper()
	return a.post("/api/v1/sms/"+call, body, "Idempotency-Key", key)
}

func (a *api) sendUnder(key, phone string) *reply {
	a.Helper()
	return a.under(key, "send", `{"phone":`+quote(phone)+`,"scene":"login"}`)
}

func (a *api) verifyUnder(key, id, code string) *reply {
	a.Helper()
	return a.under(key, "verify", `{"sms_id":`+quote(id)+`,"code":`+quote(code)+`}`)
}

// replays fails unless again is first once more, under a request id of its own.
func (a *api) replays(again, first *reply) {
	a.Helper()
	a.repeats(again, first)
	if again.header.Get("X-Request-Id") == first.header.Get("X-Request-Id") {
		a.Error("the replay has the request id of the first")
	}
	if first.header.Get("Idempotency-Replayed") != "" {
		a.Error("the first answer says that it is a replay")
	}
}

// repeats fails unless again is first once more.
func (a *api) repeats(again, first *reply) {
	a.Helper()
	if again.status != http.StatusOK || !bytes.Equal(again.body, first.body) || again.header.Get("Idempotency-Replayed") != "true" {
		a.Errorf("answer %d %v %s\nwant the first again: %s", again.status, again.header, again.body, first.body)
	}
}

// wantMessages fails unless so many messages left.
func (a *api) wantMessages(n int) {
	a.Helper()
	if got := len(a.messages()); got != n {
		a.Errorf("%d messages, want %d", got, n)
	}
}

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

// Every field of a request counts, and a new one must be put among the content, or it is not compared.
func TestOtherContentIsAMismatch(t *testing.T) {
	t.Parallel()
	for _, c := range []interface{ content() []string }{&sendRequest{}, &resendRequest{}, &verifyRequest{}} {
		fields := reflect.ValueOf(c).Elem()
		for i := range fields.NumField() {
			before := fmt.Sprint(c.content())
			fields.Field(i).SetString(fmt.Sprint("value-", i))
			name := jsonName(fields.Type().Field(i))
			if counts := fmt.Sprint(c.content()) != before; counts != (name != "client_ip") {
				t.Errorf("%T: %s is in the content: %t", c, name, counts)
			}
		}
	}
	a, _ := newOnceAPI(t)
	a.want(a.sendUnder("k", alice), 200, "")
	for _, body := range []string{
		`{"phone":"+8613900139000","scene":"login"}`, `{"phone":"+8613800138000","scene":"register"}`,
		`{"phone":"+8613800138000","scene":"login","locale":"en"}`, `{"phone":"+8613800138000","scene":"login","device_id":"d"}`,
		`{"phone":"+8613800138000","scene":"login","region":"CN"}`,
	} {
		a.want(a.under("k", "send", body), 422, "idempotency_mismatch")
	}
	a.wantMessages(1)
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

// A key belongs to one app. Through whichever secret key of that app, and for whichever client of a server, it is one request.
func TestKeysOfApps(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	shop := a.keys.Secret("shop")
	send := func(key, more string) *reply {
		return a.post("/api/v1/sms/send", `{"phone":"+8613800138000","scene":"login"`+more+`}`, "Idempotency-Key", "k", "Authorization", "Bearer "+key)
	}
	first := send(shop, `,"client_ip":"198.51.100.1"`)
	a.want(first, 200, "")
	a.replays(send(shop, `,"client_ip":"198.51.100.2"`), first)
	a.replays(send(a.keys.Secret("shop"), ""), first)
	other := send(a.keys.Secret("desk"), "")
	if other.status != 200 || other.text("sms_id") == first.text("sms_id") {
		t.Errorf("another app's key: %d %s", other.status, other.body)
	}
	a.wantMessages(2)
	a.want(a.post("/api/v1/sms/verify", `{"sms_id":`+quote(first.text("sms_id"))+`,"code":"123456"}`, "Idempotency-Key", "k"), 404, "verification_not_found")
}

// Whoever has read a publishable key out of a page can neither take a key that a server uses, nor read what a server was answered.
func TestKeysOfServersAreNotThoseOfPages(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	send := func(key, phone string) *reply {
		return a.post("/api/v1/sms/send", `{"scene":"login","phone":`+quote(phone)+`}`, "Idempotency-Key", "order-1", "Authorization", "Bearer "+key)
	}
	page, server := a.keys.Publishable("shop"), a.keys.Secret("shop")
	a.want(send(page, "+8613900139000"), 200, "")
	first := send(server, alice)
	a.want(first, 200, "")
	a.replays(send(server, alice), first)
	a.want(send(page, alice), 422, "idempotency_mismatch") // of its own key
	a.wantMessages(2)
}

// A key belongs to one route.
func TestOneKeyOnEveryRoute(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	sent := a.sendUnder("k", alice)
	id := sent.text("sms_id")
	a.clock.Advance(time.Minute)
	a.want(a.under("k", "resend", `{"sms_id":`+quote(id)+`}`), 200, "")
	a.want(a.verifyUnder("k", id, a.code(id)), 200, "")
	a.replays(a.sendUnder("k", alice), sent)
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

func TestKeysThatAreNone(t *testing.T) {
	t.Parallel()
	a, entries := newOnceAPI(t)
	for _, headers := range [][]string{
		{"Idempotency-Key", "a b"}, {"Idempotency-Key", ""}, {"Idempotency-Key", `"a`}, {"Idempotency-Key", "a", "Idempotency-Key", "a"},
		{"Idempotency-Key", strings.Repeat("k", 256)}, {"Idempotency-Key", `"a", "b"`},
	} {
		r := a.post("/api/v1/sms/send", `{"phone":"+8613800138000","scene":"login"}`, headers...)
		a.want(r, 400, "invalid_request")
		if !strings.Contains(string(r.body), `"errors":[{"header":"Idempotency-Key","code":"invalid"}]`) {
			t.Errorf("%v: %s", headers, r.body)
		}
	}
	a.wantMessages(0)
	if n := entries.count("find"); n != 0 {
		t.Errorf("%d look-ups", n)
	}
}

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

// A store of codes that says nothing after it has used the code up, or before: neither is a wrong answer later.
func TestVerifyWhoseStoreSaysNothing(t *testing.T) {
	t.Parallel()
	for name, done := range map[string]bool{"used up": true, "not used up": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			codes := &silent{done: done}
			a, _ := newOnceAPI(t, func(s *setup) {
				s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
			})
			id, code := a.sent(alice)
			codes.quiet = true
			a.want(a.verifyUnder("k", id, code), 503, "unavailable")
			codes.quiet = false
			a.want(a.verifyUnder("k", id, code), 409, "request_in_progress")
			a.clock.Advance(5 * time.Second)
			again := a.verifyUnder("k", id, code)
			a.want(again, 200, "")
			if again.text("phone") != alice || again.field("verified") != true || (again.header.Get("Idempotency-Replayed") == "true") != done {
				t.Errorf("answer %v %s", again.header, again.body)
			}
			a.want(a.verifyUnder("k2", id, code), 410, "code_used")
		})
	}
}

// silent is a store of codes that verifies, or not, and does not say.
type silent struct {
	sms.Codes
	quiet, done bool
}

func (s *silent) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	if !s.quiet {
		return s.Codes.Verify(ctx, id, g)
	}
	if s.done {
		_, _ = s.Codes.Verify(ctx, id, g)
	}
	return sms.Record{}, fmt.Errorf("no answer: %w", sms.ErrUnavailable)
}

// A message left, and the code that it carries could not take the old one's place: it is not sent again.
func TestRotationThatFailsAfterTheMessage(t *testing.T) {
	t.Parallel()
	codes := &noAmend{}
	a, _ := newOnceAPI(t, func(s *setup) {
		s.policy.Scenes["login"].Rotate = true
		s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
	})
	id, _ := a.sent(alice)
	a.clock.Advance(time.Minute)
	codes.fails = true
	body := `{"sms_id":` + quote(id) + `}`
	a.want(a.under("k", "resend", body), 503, "unavailable")
	codes.fails = false
	a.wantMessages(2)
	a.clock.Advance(2 * time.Minute)
	again := a.under("k", "resend", body)
	if again.text("delivery") != "unknown" {
		t.Errorf("answer %d %s", again.status, again.body)
	}
	a.wantMessages(2)
}

type noAmend struct {
	sms.Codes
	fails bool
}

func (n *noAmend) Amend(ctx context.Context, id string, a sms.Amendment) error {
	if n.fails {
		return sms.ErrUnavailable
	}
	return n.Codes.Amend(ctx, id, a)
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

// 50 requests at once under one key: one message, one sms_id.
func TestParallelSendsUnderOneKey(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	sendsOnce(t, a)
	a.want(a.sendUnder("k", alice), 200, "")
}

// The same over two instances, with limits that would let one message pass, or all of them.
func TestParallelSendsOverTwoInstances(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]int{"one may pass": 1, "all may pass": 1000} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			one, other := newPair(t, phoneHour(t, limit))
			sendsOnce(t, one, other)
		})
	}
}

// phoneHour is a policy with one limit.
func phoneHour(t *testing.T, limit int) *sms.Policy {
	t.Helper()
	p, _, err := policy.Parse(fmt.Appendf(nil, `
limits: [{name: phone-hour, by: [phone], limit: %d, window: 1h}]
scenes: {login: {code: {length: 6, ttl: 5m, attempts: 5}, countries: ["*"], number_types: [mobile], templates: {en: "{{.Code}}"}}}
`, limit))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// sendsOnce sends 50 times at once under one key, to each instance in turn.
func sendsOnce(t *testing.T, instances ...*api) {
	t.Helper()
	ids := &sync.Map{}
	got := parallel(50, func(i int) *reply { return noting(ids, instances[i%len(instances)].sendUnder("k", alice)) })
	if got["200 "] < 1 || got["200 "]+got["409 request_in_progress"] != 50 || lenOf(ids) != 1 {
		t.Errorf("answers %v, %d sms_ids", got, lenOf(ids))
	}
	messages := 0
	for _, a := range instances {
		messages += len(a.messages())
	}
	if messages != 1 {
		t.Errorf("%d messages", messages)
	}
}

// One verify succeeds, and all that carry its key hear of it, on either instance.
func TestParallelVerifiesUnderOneKey(t *testing.T) {
	t.Parallel()
	one, other := newPair(t, policy.BuiltIn())
	id, code := one.sent(alice)
	bodies := &sync.Map{}
	got := parallel(50, func(i int) *reply {
		r := []*api{one, other}[i%2].verifyUnder("k", id, code)
		if r.status == http.StatusOK {
			bodies.Store(string(r.body), true)
		}
		return r
	})
	if got["200 "] < 1 || got["200 "]+got["409 request_in_progress"] != 50 || lenOf(bodies) != 1 {
		t.Errorf("answers %v, %d different ones", got, lenOf(bodies))
	}
}

// newPair is two instances over the same stores, each with connections of its own to the place of entries, where such
// are given.
func newPair(t *testing.T, p *sms.Policy, places ...idempotency.Store) (one, other *api) {
	var counters throttle.Store
	var codes sms.Codes
	if len(places) == 0 {
		place := openEntries(t)
		places = []idempotency.Store{place, place}
	}
	shared := func(s *setup) {
		s.policy, s.entries, s.linger = p, places[0], time.Minute
		places = places[1:]
		s.counters = func(own throttle.Store) throttle.Store {
			if counters == nil {
				counters = own
			}
			return counters
		}
		s.codes = func(own sms.Codes) sms.Codes {
			if codes == nil {
				codes = own
			}
			return codes
		}
	}
	return newAPI(t, shared), newAPI(t, shared)
}

// noting keeps the sms_id of a success.
func noting(ids *sync.Map, r *reply) *reply {
	if r.status == http.StatusOK {
		ids.Store(r.text("sms_id"), true)
	}
	return r
}

func lenOf(m *sync.Map) (n int) {
	m.Range(func(any, any) bool { n++; return true })
	return n
}

// keyProblems is how the rows of the problem table that are about keys are reached.
func keyProblems(t *testing.T) map[string]func() *reply {
	a, entries := newOnceAPI(t)
	return map[string]func() *reply{
		"request_in_progress": func() *reply {
			entries.set(entries.before, "finish", errors.New("away"))
			a.sendUnder("k", alice)
			return a.sendUnder("k", alice)
		},
		"idempotency_mismatch": func() *reply {
			a.sendUnder("k2", "+8613900139000")
			return a.sendUnder("k2", "+8613700137000")
		},
		"outcome_unknown": func() *reply {
			a.clock.Advance(time.Hour)
			return a.sendUnder("k", alice)
		},
	}
}

// The database's files hold no number, code, key or answer in clear, whatever was asked under a key.
func TestKeysAreStoredClosed(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	a := newAPI(t, func(s *setup) { s.entries = openEntriesIn(t, folder) })
	const key = "a-key-that-nobody-guesses"
	sent := a.sendUnder(key, alice)
	id := sent.text("sms_id")
	code := a.code(id)
	a.want(a.verifyUnder(key, id, code), 200, "")
	files, err := filepath.Glob(filepath.Join(folder, "smsd.db*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, %v", files, err)
	}
	found := false
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		found = found || bytes.Contains(content, []byte(id)) // the look is at the right files
		for _, clear := range []string{alice, alice[3:], key, code, "expires_at\":", "203.0.113"} {
			if bytes.Contains(content, []byte(clear)) {
				t.Errorf("%s holds %q", filepath.Base(name), clear)
			}
		}
	}
	if !found {
		t.Error("the entry is in none of the files")
	}
}

// The outcomes are counted.
func TestMetricsOfKeys(t *testing.T) {
	t.Parallel()
	a, _ := newOnceAPI(t)
	a.sendUnder("k", alice)
	a.sendUnder("k", alice)
	a.sendUnder("k", "+8613900139000")
	metrics := string(a.operate("GET", "/metrics", "").body)
	for _, line := range []string{
		`smsd_idempotency_requests_total{outcome="new"} 1`, `smsd_idempotency_requests_total{outcome="replayed"} 1`,
		`smsd_idempotency_requests_total{outcome="mismatch"} 1`, `smsd_idempotency_requests_total{outcome="in_progress"} 0`,
		`smsd_idempotency_requests_total{outcome="unavailable"} 0`,
	} {
		if !strings.Contains(metrics, line) {
			t.Errorf("no %s", line)
		}
	}
}
