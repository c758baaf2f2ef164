package keyring

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"
)

// Bounds of a rotation: secrets as long as the hash's output (RFC 2104, section 3), and no more of them than
// a guess is compared with.
const (
	MinSecret  = 32 // bytes
	MaxSecrets = 8
)

// Root is the secrets in rotation, checked. Immutable; it prints without them.
//
// To rotate, put the new secret first on every instance; drop the old one when nothing made with it is needed
// any longer. An instance that has not yet learned of the new one can't read what it made: so add it as the
// second one everywhere before it becomes the first.
type Root struct{ secrets [][]byte }

// New takes the secrets newest first, each of MinSecret bytes or more, 1 to MaxSecrets of them.
func New(secrets [][]byte) (*Root, error) {
	if len(secrets) == 0 || len(secrets) > MaxSecrets {
		return nil, fmt.Errorf("secrets: %d given, must be 1 to %d", len(secrets), MaxSecrets)
	}
	r := &Root{}
	for i, s := range secrets {
		if len(s) < MinSecret {
			return nil, fmt.Errorf("secret %d: %d bytes, must be %d or more", i+1, len(s), MinSecret)
		}
		for j, earlier := range secrets[:i] {
			if bytes.Equal(s, earlier) {
				return nil, fmt.Errorf("secret %d: the same as secret %d", i+1, j+1)
			}
		}
		r.secrets = append(r.secrets, bytes.Clone(s))
	}
	return r, nil
}

// Len is how many secrets there are.
func (r *Root) Len() int { return len(r.secrets) }

// Derive returns 32 bytes for a purpose from each secret, newest first.
func (r *Root) Derive(purpose string) ([][]byte, error) {
	keys := make([][]byte, 0, len(r.secrets))
	for i, secret := range r.secrets {
		key, err := hkdf.Key(sha256.New, secret, nil, purpose, sha256.Size)
		if err != nil {
			return nil, fmt.Errorf("secret %d: %w", i+1, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}

// Format writes how many secrets there are, for every verb.
func (r *Root) Format(s fmt.State, _ rune) { _, _ = fmt.Fprintf(s, "secrets: %d", len(r.secrets)) }
