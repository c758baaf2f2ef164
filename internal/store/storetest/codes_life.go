package storetest

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"smsd/internal/sms"
)

// lifeTests: from Put to forgotten.
var lifeTests = []codesTest{
	{"get returns what was put", getReturnsWhatWasPut},
	{"bounds of a record", boundsOfARecord},
	{"the caller's bytes are not shared", bytesAreNotShared},
	{"an id that exists is an error", existingID},
	{"a forgotten id is free", forgottenID},
	{"an id that never was", unknownID},
	{"delete forgets", deleteForgets},
	{"a live record expires, then is forgotten", liveExpires},
	{"a used record is told apart until forgotten", usedIsTold},
	{"an exhausted record is told apart until forgotten", exhaustedIsTold},
	{"the clock steps back", clockStepsBack},
	{"the clock steps ahead and back", clockStepsAheadAndBack},
	{"a call that is late changes nothing", lateCalls},
}

func getReturnsWhatWasPut(t *testing.T, b *codesBench) {
	n := typical()
	b.put(idA, n)
	created := b.clock.milli()
	b.clock.Advance(time.Second)
	want := sms.Record{
		App: n.App, Scene: n.Scene, Code: n.Code, Phone: n.Phone, Length: 6, AttemptsLeft: 5, Sealed: n.Sealed,
		CreatedAt: created, ExpiresAt: created.Add(codesTTL), Now: created.Add(time.Second),
	}
	if got := b.get(idA); !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	b.is(want.State(), nil)
}

func boundsOfARecord(t *testing.T, b *codesBench) {
	every := make([]byte, 512)
	for i := range every {
		every[i] = byte(i)
	}
	for i, n := range []sms.NewRecord{
		{App: "a{x}b:c", Scene: "登录 {login}:", Code: hash(1), Length: 4, Attempts: 1, Sealed: every, TTL: time.Millisecond, Keep: time.Millisecond},
		{App: "b", Scene: "c", Code: hash(1), Length: 10, Attempts: 20, TTL: 24 * time.Hour, Keep: 24 * time.Hour},
	} {
		id := []string{idA, idB}[i]
		b.put(id, n)
		r := b.get(id)
		if r.App != n.App || r.Scene != n.Scene || !bytes.Equal(r.Sealed, n.Sealed) ||
			r.Length != n.Length || r.AttemptsLeft != n.Attempts || r.ExpiresAt.Sub(r.CreatedAt) != n.TTL {
			t.Fatalf("put %+v, got %+v", n, r)
		}
	}
	b.clock.Advance(time.Millisecond)
	b.is(b.get(idA).State(), sms.ErrExpired)
}

func bytesAreNotShared(t *testing.T, b *codesBench) {
	n := typical()
	b.put(idA, n)
	n.Sealed[0] = 'X'
	b.get(idA).Sealed[0] = 'Y'
	if r := b.get(idA); !bytes.Equal(r.Sealed, typical().Sealed) {
		t.Fatalf("sealed is %q: the store shares its bytes with a caller", r.Sealed)
	}
}

func existingID(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.verify(idA, wrongGuess(), incorrect(4))
	before := b.get(idA)
	other := typical()
	other.Code, other.Scene = hash(7), "register"
	if _, err := b.Put(t.Context(), idA, other); err == nil {
		t.Fatal("an id was put twice")
	}
	b.unchanged(idA, before)
}

func forgottenID(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.clock.Advance(codesTTL + codesKeep)
	other := typical()
	other.Code = hash(7)
	b.put(idA, other)
	b.verify(idA, guess(7), nil)
}

func unknownID(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.gone(idB)
}

// gone checks that id is as if it never was.
func (b *codesBench) gone(id string) {
	b.t.Helper()
	_, err := b.Get(b.t.Context(), id)
	b.is(err, sms.ErrNotFound)
	b.verify(id, rightGuess(), sms.ErrNotFound)
	b.amend(id, sms.Amendment{ExpiresIn: time.Hour}, sms.ErrNotFound)
	b.remove(id)
}

func deleteForgets(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.put(idB, typical())
	b.remove(idA)
	b.gone(idA)
	b.verify(idB, rightGuess(), nil)
	b.put(idA, typical())
	b.verify(idA, rightGuess(), nil)
}

func liveExpires(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.clock.Advance(codesTTL - time.Millisecond)
	b.is(b.get(idA).State(), nil)
	b.verify(idA, wrongGuess(), incorrect(4))
	b.clock.Advance(time.Millisecond)
	b.ended(idA, sms.ErrExpired)
	b.clock.Advance(codesKeep - time.Millisecond)
	b.ended(idA, sms.ErrExpired)
	b.clock.Advance(time.Millisecond)
	b.gone(idA)
}

func usedIsTold(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.verify(idA, rightGuess(), nil)
	b.toldUntilForgotten(idA, sms.ErrUsed)
}

func exhaustedIsTold(t *testing.T, b *codesBench) {
	n := typical()
	n.Attempts = 1
	b.put(idA, n)
	b.verify(idA, wrongGuess(), incorrect(0))
	b.toldUntilForgotten(idA, sms.ErrAttemptsExhausted)
}

// toldUntilForgotten expects a record just put that has ended by want; expiry does not change that.
func (b *codesBench) toldUntilForgotten(id string, want error) {
	b.t.Helper()
	b.ended(id, want)
	b.clock.Advance(codesTTL)
	b.ended(id, want)
	b.clock.Advance(codesKeep - time.Millisecond)
	b.ended(id, want)
	b.clock.Advance(time.Millisecond)
	b.gone(id)
}

// ended checks that every way to touch the record answers want and changes nothing.
func (b *codesBench) ended(id string, want error) {
	b.t.Helper()
	before := b.get(id)
	b.is(before.State(), want)
	b.verify(id, rightGuess(), want)
	b.verify(id, wrongGuess(), want)
	b.verify(id, sms.Guess{App: "default", Length: 4, Codes: []sms.Hash{hash(1)}}, want)
	b.amend(id, sms.Amendment{ExpiresIn: time.Hour, Code: hash(7), Sealed: []byte("new")}, want)
	b.unchanged(id, before)
}

func clockStepsBack(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.clock.Advance(-time.Hour)
	b.is(b.get(idA).State(), nil)
	b.verify(idA, wrongGuess(), incorrect(4))
	b.verify(idA, rightGuess(), nil)
	b.verify(idA, rightGuess(), sms.ErrUsed)
}

// Expiry is read from the record, not from what has happened to it.
func clockStepsAheadAndBack(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.clock.Advance(codesTTL)
	b.verify(idA, rightGuess(), sms.ErrExpired)
	b.clock.Advance(-time.Millisecond)
	b.verify(idA, rightGuess(), nil)
}

func lateCalls(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	before, late := b.get(idA), lateContext(t)
	_, err := b.Put(late, idB, typical())
	b.is(err, sms.ErrUnavailable)
	_, err = b.Get(late, idA)
	b.is(err, sms.ErrUnavailable)
	_, err = b.Verify(late, idA, rightGuess())
	b.is(err, sms.ErrUnavailable)
	b.is(b.Amend(late, idA, sms.Amendment{Code: hash(7)}), sms.ErrUnavailable)
	b.is(b.Delete(late, idA), sms.ErrUnavailable)
	b.unchanged(idA, before)
	b.gone(idB)
}
