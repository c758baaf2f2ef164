package storetest

import (
	"reflect"
	"testing"
	"time"

	"smsd/internal/sms"
)

// verifyTests: compare, count and consume.
var verifyTests = []codesTest{
	{"right at once", rightAtOnce},
	{"one wrong, then right (otp-jwt 5)", wrongThenRight},
	{"four wrong, then right (otpgateway 23)", fourWrongThenRight},
	{"the fifth wrong one exhausts", fifthWrongExhausts},
	{"who used it up is told by a mark", usedByAMark},
	{"another length is no attempt", anotherLength},
	{"another scene or phone is a wrong code (press PR 7078)", anotherScene},
	{"another app's record is not there", anotherApp},
	{"one right candidate is enough", candidates},
	{"the zero hash matches nothing", zeroHash},
	{"one record's code under another's id (convex-auth 243)", anotherID},
}

func rightAtOnce(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	b.clock.Advance(time.Minute)
	want := b.get(idA)
	want.Used = true
	if got := b.verify(idA, rightGuess(), nil); !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	b.unchanged(idA, want)
	b.verify(idA, rightGuess(), sms.ErrUsed)
}

func wrongThenRight(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	want := b.get(idA)
	want.AttemptsLeft = 4
	if got := b.verify(idA, wrongGuess(), incorrect(4)); !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	b.verify(idA, rightGuess(), nil)
}

func fourWrongThenRight(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	for left := 4; left > 0; left-- {
		b.verify(idA, wrongGuess(), incorrect(left))
	}
	b.verify(idA, rightGuess(), nil)
}

func fifthWrongExhausts(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	for left := 4; left >= 0; left-- {
		if r := b.verify(idA, wrongGuess(), incorrect(left)); r.AttemptsLeft != left || r.Scene != "login" {
			t.Fatalf("the record with %d attempts left is %+v", left, r)
		}
	}
	b.ended(idA, sms.ErrAttemptsExhausted)
}

// A mark stands in the code's place from the verify that was right, and no other verify changes it.
func usedByAMark(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	want := b.get(idA)
	mark := func(g sms.Guess, m byte) sms.Guess { g.Mark = sms.Hash{m, 15: m}; return g }
	want.AttemptsLeft = 4
	if got := b.verify(idA, mark(wrongGuess(), 1), incorrect(4)); !reflect.DeepEqual(got, want) {
		t.Fatalf("a wrong guess: got  %+v\nwant %+v", got, want)
	}
	want.Used, want.Code = true, sms.Hash{2, 15: 2}
	if got := b.verify(idA, mark(rightGuess(), 2), nil); !reflect.DeepEqual(got, want) {
		t.Fatalf("got  %+v\nwant %+v", got, want)
	}
	b.verify(idA, mark(rightGuess(), 3), sms.ErrUsed)
	guessed := rightGuess()
	guessed.Codes = []sms.Hash{want.Code}
	b.verify(idA, guessed, sms.ErrUsed)
	b.unchanged(idA, want)
}

func anotherLength(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	before := b.get(idA)
	for _, length := range []int{0, 4, 5, 7, 10} {
		g := rightGuess()
		g.Length = length
		b.verify(idA, g, sms.ErrCodeFormat)
	}
	b.unchanged(idA, before)
}

func anotherScene(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	g := rightGuess()
	g.Scene = "reset_password"
	b.verify(idA, g, incorrect(4))
	g.Scene, g.Phone = "login", hash(3)
	b.verify(idA, g, incorrect(3))
	g.Scene, g.Phone = "", hash(3)
	b.verify(idA, g, incorrect(2))
	g.Scene, g.Phone = "logi", sms.Hash{}
	b.verify(idA, g, incorrect(1))
	g.Scene, g.Phone = "login", hash(2)
	b.verify(idA, g, nil)
}

func anotherApp(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	before := b.get(idA)
	for _, app := range []string{"", "defaul", "default2"} {
		g := rightGuess()
		g.App = app
		b.verify(idA, g, sms.ErrNotFound)
		g.Length = 4
		b.verify(idA, g, sms.ErrNotFound)
	}
	b.unchanged(idA, before)
	b.clock.Advance(codesTTL)
	g := rightGuess()
	g.App = "other"
	b.verify(idA, g, sms.ErrNotFound)
}

// A rotated secret leaves several hashes of the same digits, 8 at the most.
func candidates(t *testing.T, b *codesBench) {
	for position := range 8 {
		g := guess(11, 12, 13, 14, 15, 16, 17, 18)
		g.Codes[position] = hash(1)
		b.put(idA, typical())
		b.verify(idA, g, nil)
		b.remove(idA)
	}
	b.put(idA, typical())
	b.verify(idA, guess(11, 12, 13, 14, 15, 16, 17, 18), incorrect(4))
	b.verify(idA, guess(), incorrect(3))
}

func zeroHash(t *testing.T, b *codesBench) {
	b.put(idA, typical())
	zero := sms.Guess{App: "default", Length: 6, Codes: []sms.Hash{{}, {}}}
	b.verify(idA, zero, incorrect(4))
	n := typical()
	n.Code, n.Phone = sms.Hash{}, sms.Hash{}
	b.put(idB, n)
	b.verify(idB, zero, incorrect(4))
	zero.Phone = hash(2)
	b.verify(idB, zero, incorrect(3))
}

func anotherID(t *testing.T, b *codesBench) {
	n := typical()
	n.Code = hash(7)
	b.put(idA, typical())
	b.put(idB, n)
	b.verify(idB, rightGuess(), incorrect(4))
	b.verify(idA, guess(7), incorrect(4))
	b.verify(idA, rightGuess(), nil)
	b.verify(idB, guess(7), nil)
}
