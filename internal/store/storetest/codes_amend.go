package storetest

import (
	"testing"
	"time"

	"smsd/internal/sms"
)

// amendTests: a live record changes, one that has ended does not (see [codesBench.ended]).
var amendTests = []codesTest{
	{"a later end counts from creation", laterEnd},
	{"an earlier end", earlierEnd},
	{"a fresh code takes the old one's place", freshCode},
	{"all at once", amendAll},
	{"nothing", amendNothing},
	{"the amended bytes are not shared", amendedBytes},
}

func laterEnd(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	want := b.get(idA)
	b.clock.Advance(3 * time.Second)
	b.amend(idA, sms.Amendment{ExpiresIn: codesTTL + 2500*time.Millisecond}, nil)
	want.ExpiresAt = want.CreatedAt.Add(codesTTL + 2500*time.Millisecond)
	b.unchanged(idA, want)

	b.clock.Advance(codesTTL - 501*time.Millisecond) // from creation: the end less 1 ms
	b.verify(idA, wrongGuess(), incorrect(4))
	b.clock.Advance(time.Millisecond)
	b.ended(idA, sms.ErrExpired)
	b.clock.Advance(codesKeep - time.Millisecond)
	b.ended(idA, sms.ErrExpired)
	b.clock.Advance(time.Millisecond)
	b.gone(idA)
}

func earlierEnd(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.amend(idA, sms.Amendment{ExpiresIn: time.Second}, nil)
	b.clock.Advance(time.Second)
	b.ended(idA, sms.ErrExpired)
	b.clock.Advance(codesKeep)
	b.gone(idA)
}

func freshCode(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.verify(idA, wrongGuess(), incorrect(4))
	want := b.get(idA)
	b.clock.Advance(time.Minute)
	b.amend(idA, sms.Amendment{Code: hash(7), Sealed: []byte("fresh")}, nil)
	want.Code, want.Sealed = hash(7), []byte("fresh")
	b.unchanged(idA, want)
	b.verify(idA, rightGuess(), incorrect(3))
	b.verify(idA, guess(7), nil)
}

func amendAll(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	want := b.get(idA)
	b.amend(idA, sms.Amendment{ExpiresIn: time.Hour, Code: hash(7), Sealed: []byte{0}}, nil)
	want.ExpiresAt, want.Code, want.Sealed = want.CreatedAt.Add(time.Hour), hash(7), []byte{0}
	b.unchanged(idA, want)
}

func amendNothing(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	before := b.get(idA)
	b.amend(idA, sms.Amendment{}, nil)
	b.unchanged(idA, before)
}

func amendedBytes(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	fresh := []byte("fresh")
	b.amend(idA, sms.Amendment{Sealed: fresh}, nil)
	fresh[0] = 'X'
	if got := string(b.get(idA).Sealed); got != "fresh" {
		t.Fatalf("sealed is %q: the store shares its bytes with a caller", got)
	}
}
