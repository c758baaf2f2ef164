package proof

import (
	"encoding/base64"
	"fmt"

	"github.com/go-json-experiment/json"

	"smsd/internal/secret"
)

// MaxToken bounds a token, in bytes. The longest that [Tokens.Sign] makes has half as many.
const MaxToken = 4 << 10

// signatureText is how long a signature is as text.
var signatureText = base64.RawURLEncoding.EncodedLen(signatureBytes)

// Sign returns a token for v, which must be what a verify found right a moment ago.
func (t *Tokens) Sign(v Verification) (secret.Text, error) {
	now := t.now()
	keys, err := t.keys(now)
	if err != nil {
		return secret.Text{}, err
	}
	payload, err := json.Marshal(t.claims(v, now))
	if err != nil {
		return secret.Text{}, fmt.Errorf("proof: claims: %w", err)
	}
	// The three parts of a token, each put where it ends up.
	room := len(keys.signing.header) + base64.RawURLEncoding.EncodedLen(len(payload)) + signatureText + len("..")
	token := append(append(make([]byte, 0, room), keys.signing.header...), '.')
	token = base64.RawURLEncoding.AppendEncode(token, payload)
	signature, err := sign(token, keys.signing.private)
	if err != nil {
		return secret.Text{}, fmt.Errorf("proof: sign: %w", err)
	}
	token = base64.RawURLEncoding.AppendEncode(append(token, '.'), signature)
	return secret.New(string(token)), nil
}
