package sms

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

const (
	idA = "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69"
	idB = "5d1c9f0e-2b3a-4c5d-8e7f-a0b1c2d3e4f5"
)

// secretOf returns a secret of 32 bytes.
func secretOf(b byte) []byte { return bytes.Repeat([]byte{b}, 32) }

func ring(t testing.TB, secrets ...byte) *Keyring {
	t.Helper()
	var all [][]byte
	for _, b := range secrets {
		all = append(all, secretOf(b))
	}
	root, err := keyring.New(all)
	if err != nil {
		t.Fatal(err)
	}
	k, err := NewKeyring(root)
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// Whatever goes into a hash changes it: the secret, the purpose, the verification, the value, and
// where one part ends and the next begins.
func TestHashesDiffer(t *testing.T) {
	t.Parallel()
	one, two := ring(t, 1), ring(t, 2)
	code, other := secret.New("123456"), secret.New("123457")
	number := phone.MustParse("+8613800138000")
	seen := map[Hash]string{{}: "the zero hash"}
	for name, h := range map[string]Hash{
		"a code":                one.codeHash(idA, code),
		"another code":          one.codeHash(idA, other),
		"another verification":  one.codeHash(idB, code),
		"another secret":        two.codeHash(idA, code),
		"a phone":               one.phoneHash(idA, number),
		"another's phone":       one.phoneHash(idB, number),
		"the phone as a code":   one.codeHash(idA, secret.New(number.E164())),
		"a digit moved over":    one.codeHash(idA+"1", secret.New("23456")),
		"a digit moved back":    one.codeHash(idA[:35], secret.New("9123456")),
		"a phone, other secret": two.phoneHash(idA, number),
	} {
		if twin, twice := seen[h]; twice {
			t.Errorf("%s has the hash of %s", name, twin)
		}
		seen[h] = name
	}
	if one.codeHash(idA, code) != ring(t, 1).codeHash(idA, code) {
		t.Error("two keyrings of one secret differ")
	}
}

func TestRotationMatchesEverySecret(t *testing.T) {
	t.Parallel()
	code := secret.New("123456")
	rotated := ring(t, 3, 2, 1)
	hashes := rotated.codeHashes(idA, code)
	for i, b := range []byte{3, 2, 1} {
		if hashes[i] != ring(t, b).codeHash(idA, code) {
			t.Errorf("candidate %d is not secret %d's", i, b)
		}
	}
	if rotated.codeHash(idA, code) != hashes[0] {
		t.Error("the newest secret is not the one that hashes")
	}
}

// What was stored by one release is read by the next: these change only with the version byte.
func TestHashIsPinned(t *testing.T) {
	t.Parallel()
	const want = "7a8109e7ca66bdf201fef0b91e428de6" // computed apart, with another HKDF and HMAC
	got := fmt.Sprintf("%x", ring(t, 1).codeHash(idA, secret.New("123456")))
	if got != want {
		t.Errorf("hash %s, want %s", got, want)
	}
}

func TestKeyringPrintsWithoutItsKeys(t *testing.T) {
	t.Parallel()
	k := ring(t, 'k')
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		text := fmt.Sprintf(verb, struct{ inner *Keyring }{k}) + fmt.Sprintf(verb, k)
		if strings.Contains(text, "kkkk") || strings.Contains(text, "6b6b6b") {
			t.Errorf("%s prints %s", verb, text)
		}
		if got := fmt.Sprintf(verb, k); got != "keyring of 1" {
			t.Errorf("%s prints %s", verb, got)
		}
	}
}
