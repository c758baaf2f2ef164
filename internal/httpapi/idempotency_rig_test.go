package httpapi

import (
	"bytes"
	"net/http"
	"testing"
)

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
