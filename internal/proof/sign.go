package proof

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/golang-jwt/jwt/v5"

	"smsd/internal/secret"
)

// MaxToken bounds a token, in bytes. The longest that [Tokens.Sign] makes has half as many.
const MaxToken = 4 << 10

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
	text := keys.signing.header + "." + encode(payload)
	signature, err := jwt.SigningMethodES256.Sign(text, keys.signing.private)
	if err != nil {
		return secret.Text{}, fmt.Errorf("proof: sign: %w", err)
	}
	return secret.New(text + "." + encode(signature)), nil
}
