package vonage

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

// maxReceiptAge is how long a call is good. What was recorded and comes again changes nothing (it is bound to its body, and receipts only
// move forward), so this leaves time for the vendor's own repetitions, of which it does not say that it signs them anew.
const maxReceiptAge = 24 * time.Hour

// maxAhead is how far the vendor's clock may be ahead of ours.
const maxAhead = 5 * time.Minute

// minSignatureSecret is in bytes. The vendor's page speaks of 32 bits, and its own secrets have more than this.
const minSignatureSecret = 16

// receiptClaims are those of a signed webhook (developer.vonage.com/en/getting-started/concepts/webhooks and its predecessor
// developer.nexmo.com/messages/concepts/signed-webhooks, November 2026).
type receiptClaims struct {
	jwt.RegisteredClaims
	PayloadHash   string `json:"payload_hash"`
	APIKey        string `json:"api_key"`
	ApplicationID string `json:"application_id"`
}

// authentic sees that p is signed by the vendor: HS256 whatever the account's settings say, over a digest of the body.
func (g *Gateway) authentic(p gateway.Post) error {
	if g.config.SignatureSecret.IsZero() {
		return fmt.Errorf("%w: the gateway has no signature_secret, so nobody can be told from it", gateway.ErrForged)
	}
	values := p.Header["Authorization"]
	if len(values) != 1 {
		return gateway.ErrForged
	}
	token, is := strings.CutPrefix(values[0], "Bearer ")
	var claims receiptClaims
	parser := jwt.NewParser(jwt.WithValidMethods([]string{"HS256"}), jwt.WithStrictDecoding(), jwt.WithIssuedAt(), jwt.WithLeeway(maxAhead),
		jwt.WithTimeFunc(func() time.Time { return p.Now }))
	_, err := parser.ParseWithClaims(token, &claims, func(*jwt.Token) (any, error) { return []byte(g.config.SignatureSecret.Reveal()), nil })
	switch { // the parser's error holds parts of the token
	case !is || err != nil:
		return fmt.Errorf("%w: it is not signed with signature_secret, or not for now", gateway.ErrForged)
	case claims.IssuedAt == nil || p.Now.Sub(claims.IssuedAt.Time) > maxReceiptAge:
		return fmt.Errorf("%w: it is more than a day old, or does not say how old", gateway.ErrForged)
	}
	return g.claimed(claims, p.Body)
}

// claimed sees that the claims are for this account or application, as far as both are known, and for that body.
func (g *Gateway) claimed(c receiptClaims, body []byte) error {
	sum := sha256.Sum256(body)
	own := g.config
	switch {
	case !hmac.Equal([]byte(c.PayloadHash), []byte(hex.EncodeToString(sum[:]))):
		return fmt.Errorf("%w: its digest is another body's", gateway.ErrForged)
	case c.APIKey != "" && !own.APIKey.IsZero() && !own.APIKey.Equal(c.APIKey):
		return fmt.Errorf("%w: it is for another account", gateway.ErrForged)
	case c.ApplicationID != "" && !own.ApplicationID.IsZero() && !own.ApplicationID.Equal(c.ApplicationID):
		return fmt.Errorf("%w: it is for another application", gateway.ErrForged)
	}
	return nil
}

// receipts adds to f what is wrong with the settings for receipts.
func (c Config) receipts(f carrier.Faults) {
	if !c.SignatureSecret.IsZero() && len(c.SignatureSecret.Reveal()) < minSignatureSecret {
		f["signature_secret"] = "must have at least 16 characters, as in the vendor's dashboard under API settings"
	}
}

// callback returns where the vendor is to report on messages, and in which form; "": where the dashboard says. So it is with the account's key
// and secret, which go without webhooks (developer.vonage.com/concepts/guides/authentication, November 2026).
func (c Config) callback() (url, version string) {
	if c.ReceiptsURL == "" || c.SignatureSecret.IsZero() || c.ApplicationID.IsZero() {
		return "", ""
	}
	return c.ReceiptsURL, "v1"
}
