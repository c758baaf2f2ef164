package sms

import (
	"fmt"

	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/secret"
)

// Keyring has the keys for codes, for numbers beside them, for sealing and for the ids of messages, each derived from the secrets in
// rotation. Immutable, safe for concurrent use. It prints without its keys.
type Keyring struct{ codes, phones, seals, messages *keyring.Ring }

// NewKeyring derives the keys from the secrets in rotation.
func NewKeyring(root *keyring.Root) (*Keyring, error) {
	k := &Keyring{}
	var err error
	for purpose, ring := range map[string]**keyring.Ring{"codes": &k.codes, "phones": &k.phones, "seals": &k.seals, "messages": &k.messages} {
		if *ring, err = root.Ring("smsd sms v1: " + purpose); err != nil {
			return nil, err
		}
	}
	return k, nil
}

// codeHash returns the hash under which code is stored for the verification id.
func (k *Keyring) codeHash(id string, code secret.Text) Hash {
	return hashOf(k.codes.Hash(id, code.Reveal()))
}

// codeHashes returns the hash that code has under each secret in rotation.
func (k *Keyring) codeHashes(id string, code secret.Text) []Hash {
	digests := k.codes.Hashes(id, code.Reveal())
	all := make([]Hash, len(digests))
	for i, d := range digests {
		all[i] = hashOf(d)
	}
	return all
}

// phoneHash returns the hash under which n is stored for the verification id: another one for each
// verification, so that nobody can tell from the store which ones are the same person's.
func (k *Keyring) phoneHash(id string, n phone.Number) Hash {
	return hashOf(k.phones.Hash(id, n.E164()))
}

// rotating reports whether more than one secret is in use, so that a hash may be any one's.
func (k *Keyring) rotating() bool { return k.codes.Len() > 1 }

// hashOf is a digest cut to the length of a Hash.
func hashOf(d keyring.Digest) Hash { return Hash(d[:len(Hash{})]) }

// Format writes how many secrets there are, for every verb.
func (k *Keyring) Format(s fmt.State, _ rune) { _, _ = fmt.Fprintf(s, "keyring of %d", k.codes.Len()) }
