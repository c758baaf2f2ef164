package keyring

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
)

const (
	nameA = "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69"
	nameB = "5d1c9f0e-2b3a-4c5d-8e7f-a0b1c2d3e4f5"
)

func secretOf(b byte) []byte { return bytes.Repeat([]byte{b}, MinSecret) }

func ring(t *testing.T, purpose string, secrets ...byte) *Ring {
	t.Helper()
	var all [][]byte
	for _, b := range secrets {
		all = append(all, secretOf(b))
	}
	root, err := New(all)
	if err != nil {
		t.Fatal(err)
	}
	r, err := root.Ring(purpose)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A digest is that of an HMAC which was made for it alone, whatever the key's kept ones have digested before.
func TestDigestsOfKeptMACs(t *testing.T) {
	t.Parallel()
	key := NewMAC(secretOf(7))
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			for j := range 50 {
				parts := []string{nameA, fmt.Sprint(i), fmt.Sprint(1 << j), ""}[:1+(i+j)%4]
				mac := hmac.New(sha256.New, secretOf(7))
				for _, part := range parts {
					_ = binary.Write(mac, binary.BigEndian, uint64(len(part)))
					mac.Write([]byte(part))
				}
				if got := key.Digest(parts...); Digest(mac.Sum(nil)) != got {
					t.Errorf("%q: %x", parts, got)
				}
			}
		})
	}
	work.Wait()
}

func TestNewRefuses(t *testing.T) {
	t.Parallel()
	nine := make([][]byte, MaxSecrets+1)
	for i := range nine {
		nine[i] = secretOf(byte(i))
	}
	for name, secrets := range map[string][][]byte{
		"none":      nil,
		"nine":      nine,
		"a short":   {secretOf(1), make([]byte, MinSecret-1)},
		"one twice": {secretOf(1), secretOf(2), secretOf(1)},
	} {
		if _, err := New(secrets); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := New(nine[:MaxSecrets]); err != nil {
		t.Errorf("eight: %v", err)
	}
}

// Purposes have nothing in common but the id, which tells the secret.
func TestRingsOfTwoPurposes(t *testing.T) {
	t.Parallel()
	one, other := ring(t, "one", 1), ring(t, "other", 1)
	if one.Hash(nameA) == other.Hash(nameA) {
		t.Error("two purposes hash alike")
	}
	if one.Newest() != other.Newest() || one.Newest() == ring(t, "one", 2).Newest() {
		t.Error("an id does not tell the secret")
	}
	sealed, err := one.Seal(nameA, []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := other.Open(nameA, sealed); !errors.Is(err, ErrSeal) {
		t.Errorf("opened by another purpose's ring: %v", err)
	}
}

func TestRotation(t *testing.T) {
	t.Parallel()
	old, rotated, moved := ring(t, "p", 1), ring(t, "p", 2, 1), ring(t, "p", 2)
	sealed, err := old.Seal(nameA, []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	if id, ok := SealedWith(sealed); !ok || id != old.Newest() || len(sealed) != len("text")+Overhead {
		t.Errorf("sealed with %s (%t), %d bytes", id, ok, len(sealed))
	}
	if plain, err := rotated.Open(nameA, sealed); err != nil || string(plain) != "text" {
		t.Errorf("not opened after a rotation: %q, %v", plain, err)
	}
	if _, err := moved.Open(nameA, sealed); !errors.Is(err, ErrSeal) {
		t.Errorf("opened without its secret: %v", err)
	}
	hashes := rotated.Hashes(nameA)
	if len(hashes) != 2 || hashes[0] != moved.Hash(nameA) || hashes[1] != old.Hash(nameA) || rotated.Hash(nameA) != hashes[0] {
		t.Error("the hashes are not those of each secret, newest first")
	}
}

// Nothing that was changed opens, nor under another name.
func TestSealIsWhole(t *testing.T) {
	t.Parallel()
	r := ring(t, "p", 1)
	sealed, err := r.Seal(nameA, []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Open(nameB, sealed); !errors.Is(err, ErrSeal) {
		t.Errorf("opened under another name: %v", err)
	}
	for i := range sealed {
		damaged := bytes.Clone(sealed)
		damaged[i] ^= 1
		if _, err := r.Open(nameA, damaged); !errors.Is(err, ErrSeal) {
			t.Errorf("byte %d changed: %v", i, err)
		}
		if _, err := r.Open(nameA, sealed[:i]); !errors.Is(err, ErrSeal) {
			t.Errorf("cut to %d bytes: %v", i, err)
		}
	}
}

func TestEverythingPrintsWithoutItsKeys(t *testing.T) {
	t.Parallel()
	root, err := New([][]byte{secretOf('k')})
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%x", "%d"} {
		for _, v := range []any{root, ring(t, "p", 'k'), NewMAC(secretOf('k')), struct{ inner *Ring }{ring(t, "p", 'k')}} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, "kkkk") || strings.Contains(text, "6b6b6b") {
				t.Errorf("%s prints %s", verb, text)
			}
		}
	}
}
