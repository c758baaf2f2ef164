package sms

import (
	"bytes"
	"crypto/hkdf"
	"crypto/sha256"
	"fmt"

	"smsd/internal/phone"
	"smsd/internal/secret"
)

// Bounds of a keyring: secrets as long as the hash's output (RFC 2104, section 3), and no more of them
// than a [Guess] has candidates.
const (
	minSecret  = 32
	maxSecrets = 8
)

// Keyring derives the keys for codes and for sealing from the secrets in rotation. Immutable, safe
// for concurrent use. It prints without its keys.
//
// To rotate, put the new secret first on every instance; drop the old one when the last code made with
// it is forgotten. An instance that has not yet learned of the new one takes right codes made with it
// for wrong: so add it as the second one everywhere before it becomes the first.
type Keyring struct {
	sets []keySet // newest first
}

// keySet is what is derived from one secret: a key for each purpose, so that none tells of another.
type keySet struct {
	id     [4]byte // tells which secret sealed something
	codes  *macKey
	phones *macKey
	seals  *macKey
}

// NewKeyring takes the secrets newest first, each of 32 bytes or more, 1 to 8 of them: the newest
// hashes and seals, all of them match and open.
func NewKeyring(secrets [][]byte) (*Keyring, error) {
	if len(secrets) == 0 || len(secrets) > maxSecrets {
		return nil, fmt.Errorf("secrets: %d given, must be 1 to %d", len(secrets), maxSecrets)
	}
	k := &Keyring{}
	for i, s := range secrets {
		if len(s) < minSecret {
			return nil, fmt.Errorf("secret %d: %d bytes, must be %d or more", i+1, len(s), minSecret)
		}
		for j, earlier := range secrets[:i] {
			if bytes.Equal(s, earlier) {
				return nil, fmt.Errorf("secret %d: the same as secret %d", i+1, j+1)
			}
		}
		set, err := deriveSet(s)
		if err != nil {
			return nil, fmt.Errorf("secret %d: %w", i+1, err)
		}
		k.sets = append(k.sets, set)
	}
	return k, nil
}

func deriveSet(secret []byte) (keySet, error) {
	var set keySet
	for _, part := range []struct {
		purpose string
		take    func(key []byte)
	}{
		{"key id", func(key []byte) { copy(set.id[:], key) }},
		{"codes", func(key []byte) { set.codes = newMACKey(key) }},
		{"phones", func(key []byte) { set.phones = newMACKey(key) }},
		{"seals", func(key []byte) { set.seals = newMACKey(key) }},
	} {
		key, err := hkdf.Key(sha256.New, secret, nil, "smsd sms v1: "+part.purpose, sha256.Size)
		if err != nil {
			return set, err
		}
		part.take(key)
	}
	return set, nil
}

// codeHash returns the hash under which code is stored for the verification id.
func (k *Keyring) codeHash(id string, code secret.Text) Hash {
	return keyedHash(k.sets[0].codes, id, code.Reveal())
}

// codeHashes returns the hash that code has under each secret in rotation.
func (k *Keyring) codeHashes(id string, code secret.Text) []Hash {
	all := make([]Hash, len(k.sets))
	for i, set := range k.sets {
		all[i] = keyedHash(set.codes, id, code.Reveal())
	}
	return all
}

// phoneHash returns the hash under which n is stored for the verification id: another one for each
// verification, so that nobody can tell from the store which ones are the same person's.
func (k *Keyring) phoneHash(id string, n phone.Number) Hash {
	return keyedHash(k.sets[0].phones, id, n.E164())
}

// rotating reports whether more than one secret is in use, so that a hash may be any one's.
func (k *Keyring) rotating() bool { return len(k.sets) > 1 }

// keyedHash is a digest cut to the length of a Hash.
func keyedHash(key *macKey, parts ...string) Hash {
	digest := key.digest(parts...)
	return Hash(digest[:len(Hash{})])
}

// Format writes how many secrets there are, for every verb.
func (k *Keyring) Format(s fmt.State, _ rune) { _, _ = fmt.Fprintf(s, "keyring of %d", len(k.sets)) }
