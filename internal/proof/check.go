package proof

import (
	"encoding/base64"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// leeway is what a token may be too old by, so that the clocks of two instances need not be the same to the second.
const leeway = 5 * time.Second

// Want is what the caller expects of a token.
type Want struct {
	App string // whose token it must be
	// Audience, Scene and Nonce must be the token's; "": any.
	Audience, Scene, Nonce string
}

// check returns what a token says that is ours, for whom it is wanted, and alive. Nothing of it is parsed before its
// signature is right.
func (t *Tokens) check(token string, w Want, now time.Time) (claims, error) {
	payload, err := t.verify(token, now)
	if err != nil {
		return claims{}, err
	}
	c, err := readClaims(payload)
	if err != nil || !c.isWhole() {
		return claims{}, invalid(ReasonClaims)
	}
	if reason := t.mismatch(&c, w); reason != "" {
		return claims{}, invalid(reason)
	}
	if !now.Before(time.Unix(c.Expires, 0).Add(leeway)) {
		return claims{}, ErrExpired
	}
	return c, nil
}

// verify returns the payload of a token that a key of ours signed.
func (t *Tokens) verify(token string, now time.Time) ([]byte, error) {
	if len(token) > MaxToken {
		return nil, invalid(ReasonMalformed)
	}
	header, rest, _ := strings.Cut(token, ".")
	body, tail, ok := strings.Cut(rest, ".")
	if !ok || strings.ContainsAny(tail, ".\r\n") { // line ends are nothing to the decoder
		return nil, invalid(ReasonMalformed)
	}
	keys, err := t.keys(now)
	if err != nil {
		return nil, err
	}
	key := keys.known[header]
	if key == nil {
		return nil, invalid(ReasonKey)
	}
	strict := base64.RawURLEncoding.Strict()
	signature, err := strict.DecodeString(tail)
	if err != nil {
		return nil, invalid(ReasonMalformed)
	}
	if jwt.SigningMethodES256.Verify(header+"."+body, signature, &key.private.PublicKey) != nil {
		return nil, invalid(ReasonSignature)
	}
	payload, err := strict.DecodeString(body)
	if err != nil {
		return nil, invalid(ReasonMalformed)
	}
	return payload, nil
}

// mismatch names the first claim that is another one than is wanted; "": none is.
func (t *Tokens) mismatch(c *claims, w Want) Reason {
	differs := func(want, got string) bool { return want != "" && want != got }
	switch {
	case c.Issuer != t.issuer:
		return ReasonIssuer
	case c.Audience != w.App || differs(w.Audience, c.Audience):
		return ReasonAudience
	case differs(w.Scene, c.Scene):
		return ReasonScene
	case differs(w.Nonce, c.Nonce):
		return ReasonNonce
	}
	return ""
}
