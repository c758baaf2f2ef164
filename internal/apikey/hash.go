package apikey

import (
	"fmt"

	"smsd/internal/keyring"
)

// purpose is what keys are hashed for. Changing it ends every key.
const purpose = "smsd apikeys v1"

// Hasher hashes keys under the secrets in rotation. Safe for concurrent use; it prints without them.
type Hasher struct{ ring *keyring.Ring }

// NewHasher derives it from the secrets.
func NewHasher(root *keyring.Root) (*Hasher, error) {
	ring, err := root.Ring(purpose)
	if err != nil {
		return nil, fmt.Errorf("apikey: %w", err)
	}
	return &Hasher{ring}, nil
}

// Hash is what is stored of a new key: its hash under the newest secret.
func (h *Hasher) Hash(k Key) [32]byte { return h.ring.Hash(k.Reveal()) }

// appendHashes appends to all what may be stored of the key that text is: its hash under each secret in use, newest first.
func (h *Hasher) appendHashes(all []keyring.Digest, text string) []keyring.Digest {
	return h.ring.AppendHashes(all, text)
}
