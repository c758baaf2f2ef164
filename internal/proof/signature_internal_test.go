package proof

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/hex"
	"strings"
	"testing"

	"github.com/golang-jwt/jwt/v5"
)

// The example of RFC 6979, appendix A.2.5: P-256 with SHA-256, message "sample".
func TestSignatureOfTheRFC(t *testing.T) {
	t.Parallel()
	x, _ := hex.DecodeString("C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721")
	key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), x)
	if err != nil {
		t.Fatal(err)
	}
	signature, err := sign([]byte("sample"), key)
	if err != nil {
		t.Fatal(err)
	}
	const want = "efd48b2aacb6a8fd1140dd9cd45e81d69d2c877b56aaf991c34d0ea84eaf3716" +
		"f7cb1c942d657c41d436c7a1b6e29f65f3e900dbb9aff4064dc4ab2f843acda8"
	if got := hex.EncodeToString(signature); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Each half keeps its place, however many zeros it begins with: one signature in 128 has some.
func TestSignaturesAreOfOneLength(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for n := range 600 {
		text := strings.Repeat("x", n)
		signature, err := sign([]byte(text), key)
		if err != nil || len(signature) != signatureBytes {
			t.Fatalf("%d bytes, %v", len(signature), err)
		}
		if err := jwt.SigningMethodES256.Verify(text, signature, &key.PublicKey); err != nil {
			t.Fatalf("text %d: %v", n, err)
		}
	}
}
