package records

import (
	"encoding/hex"
	"fmt"
)

// Hash is a keyed hash of a subject: a number, a host, a network or a device. The zero Hash is of none.
type Hash [16]byte

// IsZero reports whether there is no subject.
func (h Hash) IsZero() bool { return h == Hash{} }

// String returns 32 hex digits, or "" for none.
func (h Hash) String() string {
	if h.IsZero() {
		return ""
	}
	return hex.EncodeToString(h[:])
}

// ParseHash reads what String writes.
func ParseHash(s string) (Hash, error) {
	var h Hash
	if s == "" {
		return h, nil
	}
	if len(s) != hex.EncodedLen(len(h)) {
		return h, fmt.Errorf("a subject's hash has %d hex digits", hex.EncodedLen(len(h)))
	}
	if _, err := hex.Decode(h[:], []byte(s)); err != nil {
		return Hash{}, fmt.Errorf("a subject's hash is hex digits")
	}
	return h, nil
}

// MarshalText returns String.
func (h Hash) MarshalText() ([]byte, error) { return []byte(h.String()), nil }

// UnmarshalText is ParseHash.
func (h *Hash) UnmarshalText(text []byte) (err error) {
	*h, err = ParseHash(string(text))
	return err
}
