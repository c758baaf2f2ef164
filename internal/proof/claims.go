package proof

import (
	"crypto/sha256"
	"encoding/base64"
	"time"

	"github.com/go-json-experiment/json"

	"smsd/internal/phone"
)

// Verification is what a token proves.
type Verification struct {
	SMSID string
	App   string
	Scene string
	Phone phone.Number
	// Nonce is what the client gave with its code, printable ASCII of at most MaxNonce bytes; "": nothing.
	Nonce string
}

// MaxNonce bounds a nonce, in bytes: a SHA-512 in hex.
const MaxNonce = 128

// claims are the payload of a token (RFC 7519, section 4.1; OpenID Connect Core, section 2, for nonce).
type claims struct {
	Issuer   string   `json:"iss"`
	Audience string   `json:"aud"`
	Subject  string   `json:"sub"` // the number, E.164
	ID       string   `json:"jti"`
	IssuedAt int64    `json:"iat"` // seconds, as all that follow
	Expires  int64    `json:"exp"`
	Scene    string   `json:"scene"`
	App      string   `json:"app"`
	SMSID    string   `json:"sms_id"`
	Methods  []string `json:"amr"`
	Nonce    string   `json:"nonce,omitzero"`
}

// methodSMS says how the person was authenticated (RFC 8176, section 2).
const methodSMS = "sms"

func (t *Tokens) claims(v Verification, now time.Time) claims {
	return claims{
		Issuer: t.issuer, Audience: v.App, Subject: v.Phone.E164(), ID: jtiOf(v.SMSID),
		IssuedAt: now.Unix(), Expires: now.Add(t.ttl).Unix(),
		Scene: v.Scene, App: v.App, SMSID: v.SMSID, Methods: []string{methodSMS}, Nonce: v.Nonce,
	}
}

// jtiOf is the jti of every token about a verification. It has no key: the token itself names the sms_id, and two
// tokens of one verification must have one jti whichever secret signed them.
func jtiOf(smsID string) string {
	var room [64]byte // of which an sms_id, a UUID, leaves some
	sum := sha256.Sum256(append(append(room[:0], "smsd proof v1: jti "...), smsID...))
	return string(base64.RawURLEncoding.AppendEncode(room[:0], sum[:16])) // 128 bits, as many as a UUID has
}

// readClaims reads what encode wrote. Names that stand twice, other-case names, numbers that are no whole seconds and invalid UTF-8
// are faults; unknown names are not, so that a later version may add some.
func readClaims(payload []byte) (c claims, err error) {
	err = json.Unmarshal(payload, &c)
	return c, err
}

// isWhole reports whether c is what [Tokens.claims] makes of some verification, at any setting.
func (c *claims) isWhole() bool {
	life := c.Expires - c.IssuedAt
	return c.IssuedAt > 0 && life > 0 && life <= int64(MaxTTL/time.Second) &&
		c.SMSID != "" && c.ID == jtiOf(c.SMSID) && c.App == c.Audience
}
