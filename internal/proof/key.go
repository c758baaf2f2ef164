package proof

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"

	"github.com/golang-jwt/jwt/v5"
)

// key is one secret's for one period.
type key struct {
	private *ecdsa.PrivateKey
	public  jwk
	// header is the first part of every token that it signs.
	header string
}

// jwk is a public key as it is published (RFC 7517, section 4; RFC 7518, section 6.2.1).
type jwk struct {
	Curve     string `json:"crv"`
	Type      string `json:"kty"`
	X         string `json:"x"`
	Y         string `json:"y"`
	Algorithm string `json:"alg,omitempty"`
	Use       string `json:"use,omitempty"`
	ID        string `json:"kid,omitempty"`
}

// deriveKey makes the key of a period from what was derived of a secret.
func deriveKey(seed []byte, period int64) (*key, error) {
	scalar, err := deriveScalar(seed, period)
	if err != nil {
		return nil, err
	}
	private, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), scalar)
	if err != nil {
		return nil, fmt.Errorf("proof: key: %w", err)
	}
	k := &key{private: private}
	if k.public, err = publish(&private.PublicKey); err != nil {
		return nil, err
	}
	k.header, err = header(k.public.ID)
	return k, err
}

// extraBytes are those that a scalar is reduced from: 64 bits more than the order of the curve has, so that none is
// likelier than another by more than 1 in 2^64 (FIPS 186-5, A.2.1).
const extraBytes = (256 + 64) / 8

// deriveScalar is FIPS 186-5, A.2.1, with the bits of HKDF in place of random ones.
func deriveScalar(seed []byte, period int64) ([]byte, error) {
	bits, err := hkdf.Key(sha256.New, seed, nil, "es256 "+strconv.FormatInt(period, 10), extraBytes)
	if err != nil {
		return nil, fmt.Errorf("proof: key: %w", err)
	}
	one := big.NewInt(1)
	last := new(big.Int).Sub(elliptic.P256().Params().N, one)
	d := new(big.Int).SetBytes(bits)
	d.Mod(d, last).Add(d, one)
	return d.FillBytes(make([]byte, 256/8)), nil
}

// publish returns p under its thumbprint (RFC 7638) as kid: the same everywhere, and of nothing but the public key.
func publish(p *ecdsa.PublicKey) (jwk, error) {
	point, err := p.Bytes() // 4, x, y: SEC 1, section 2.3.3
	if err != nil {
		return jwk{}, fmt.Errorf("proof: key: %w", err)
	}
	xy := point[1:]
	j := jwk{Curve: "P-256", Type: "EC", X: encode(xy[:len(xy)/2]), Y: encode(xy[len(xy)/2:])}
	required, err := json.Marshal(j) // these members alone, in this order: RFC 7638, section 3.2
	if err != nil {
		return jwk{}, fmt.Errorf("proof: key: %w", err)
	}
	print := sha256.Sum256(required)
	j.Algorithm, j.Use, j.ID = jwt.SigningMethodES256.Alg(), "sig", encode(print[:])
	return j, nil
}

// header is the same for every token of a key. A version that wants to write another one must first have read both for
// as long as tokens live: see [Tokens.check].
func header(kid string) (string, error) {
	text, err := json.Marshal(struct {
		Algorithm string `json:"alg"`
		Type      string `json:"typ"`
		ID        string `json:"kid"`
	}{jwt.SigningMethodES256.Alg(), "JWT", kid})
	if err != nil {
		return "", fmt.Errorf("proof: header: %w", err)
	}
	return encode(text), nil
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }
