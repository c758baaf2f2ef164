package proof

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/sha256"
	"encoding/asn1"
	"math/big"
)

// signatureBytes is a signature of ES256: r and s, 32 bytes each (RFC 7518, section 3.4).
const signatureBytes = 64

// sign returns the signature of ES256 over text. It is the deterministic one of RFC 6979, as RFC 8725, section 3.2, would have it: no
// weakness of a source of random numbers can tell the key. golang-jwt signs with random numbers, which also takes a quarter longer.
func sign(text []byte, key *ecdsa.PrivateKey) ([]byte, error) {
	digest := sha256.Sum256(text)
	der, err := key.Sign(nil, digest[:], crypto.SHA256) // nil: deterministic
	if err != nil {
		return nil, err
	}
	var point struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(der, &point); err != nil {
		return nil, err
	}
	signature := make([]byte, signatureBytes)
	point.R.FillBytes(signature[:signatureBytes/2])
	point.S.FillBytes(signature[signatureBytes/2:])
	return signature, nil
}
