package proof

import (
	"context"
	"crypto/ecdsa"
	"testing"

	"github.com/golang-jwt/jwt/v5"
)

// SigningKey is the key that signs now.
func (t *Tokens) SigningKey(tb testing.TB) *ecdsa.PrivateKey {
	tb.Helper()
	return t.keysNow(tb).signing.private
}

// Header is the first part of what is signed now.
func (t *Tokens) Header(tb testing.TB) string {
	tb.Helper()
	return t.keysNow(tb).signing.header
}

// SignPayload signs any payload as ours.
func (t *Tokens) SignPayload(tb testing.TB, payload string) string {
	tb.Helper()
	return SignWith(tb, t.Header(tb), payload, t.SigningKey(tb))
}

// SignWith signs any payload under any header, which is encoded already, with any key.
func SignWith(tb testing.TB, header, payload string, key *ecdsa.PrivateKey) string {
	tb.Helper()
	text := header + "." + encode([]byte(payload))
	signature, err := jwt.SigningMethodES256.Sign(text, key)
	if err != nil {
		tb.Fatal(err)
	}
	return text + "." + encode(signature)
}

// Encode is base64url without padding.
func Encode(text string) string { return encode([]byte(text)) }

// SweepOnce is one round of [Tokens.Sweep].
func (t *Tokens) SweepOnce(ctx context.Context) { t.sweeper().Round(ctx) }

// Remembered is how long a consumed token is remembered after its end.
const Remembered = remembered

func (t *Tokens) keysNow(tb testing.TB) *keyset {
	tb.Helper()
	keys, err := t.keys(t.now())
	if err != nil {
		tb.Fatal(err)
	}
	return keys
}
