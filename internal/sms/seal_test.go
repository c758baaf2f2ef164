package sms

import (
	"bytes"
	"encoding/hex"
	"testing"

	"smsd/internal/phone"
	"smsd/internal/secret"
)

func aLetter() letter {
	return letter{
		Phone: phone.MustParse("+8613800138000"), Code: secret.New("012345"), Region: "CN", Locale: "zh-CN",
	}
}

func mustSeal(t *testing.T, k *Keyring, id string, l letter) []byte {
	t.Helper()
	sealed, err := k.seal(id, l)
	if err != nil {
		t.Fatal(err)
	}
	return sealed
}

func (l letter) same(other letter) bool { return bytes.Equal(l.encode(), other.encode()) }

func TestSealAndOpen(t *testing.T) {
	t.Parallel()
	k := ring(t, 1)
	for name, l := range map[string]letter{
		"whole":                 aLetter(),
		"without what may lack": {Phone: phone.MustParse("+12025550100"), Code: secret.New("1234567890")},
	} {
		got, err := k.open(idA, mustSeal(t, k, idA, l))
		if err != nil || !got.same(l) {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// What was sealed by one release is opened by the next: this changes only with the version byte.
func TestSealIsPinned(t *testing.T) {
	t.Parallel()
	const sealed = "01afb28d1b7d3db3c7849984b0ef5dc8ad7906daabf6d0210af9a0c0510404f40c746416e3197c76869a8326fb5546e38f82015f2f055a3c197069dfac900df4ca1b02ec91"
	letter := aLetter()
	letter.Code = secret.New("042137")
	bytes, err := hex.DecodeString(sealed)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := ring(t, 1).open(idA, bytes); err != nil || !got.same(letter) {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSealedTellsNothing(t *testing.T) {
	t.Parallel()
	k := ring(t, 1)
	sealed := mustSeal(t, k, idA, aLetter())
	for _, clear := range []string{"13800138000", "012345", "zh-CN", "0138"} {
		if bytes.Contains(sealed, []byte(clear)) {
			t.Errorf("%q is readable", clear)
		}
	}
	if bytes.Equal(sealed, mustSeal(t, k, idA, aLetter())) {
		t.Error("sealed twice, it is the same: a rotation to the same code would show")
	}
	if len(sealed) > 100 {
		t.Errorf("%d bytes", len(sealed))
	}
}

func TestSealIsBound(t *testing.T) {
	t.Parallel()
	k := ring(t, 1)
	sealed := mustSeal(t, k, idA, aLetter())
	if _, err := k.open(idB, sealed); err == nil {
		t.Error("opened under another sms_id")
	}
	for i := range sealed {
		damaged := bytes.Clone(sealed)
		damaged[i] ^= 1
		if _, err := k.open(idA, damaged); err == nil {
			t.Errorf("opened with byte %d changed", i)
		}
		if _, err := k.open(idA, sealed[:i]); err == nil {
			t.Errorf("opened when cut to %d bytes", i)
		}
	}
}

func TestSealRotates(t *testing.T) {
	t.Parallel()
	sealed := mustSeal(t, ring(t, 1), idA, aLetter())
	for _, secrets := range [][]byte{{1}, {2, 1}, {3, 2, 1}, {1, 2}} {
		if got, err := ring(t, secrets...).open(idA, sealed); err != nil || !got.same(aLetter()) {
			t.Errorf("secrets %v: %v", secrets, err)
		}
	}
	if _, err := ring(t, 2, 3).open(idA, sealed); err == nil {
		t.Error("opened with secrets that did not seal it")
	}
	if _, err := ring(t, 1).open(idA, mustSeal(t, ring(t, 2, 1), idA, aLetter())); err == nil {
		t.Error("the newest secret is not the one that seals")
	}
}

func FuzzOpen(f *testing.F) {
	k := ring(f, 1)
	sealed, err := k.seal(idA, aLetter())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(sealed)
	f.Fuzz(func(t *testing.T, raw []byte) {
		if l, err := k.open(idA, raw); err == nil && !l.same(aLetter()) {
			t.Fatalf("%+v was opened, which nobody sealed", l)
		}
		_, _ = decodeLetter(raw)
	})
}
