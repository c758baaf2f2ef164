package keyring

import "fmt"

// ID tells which secret made something.
type ID [4]byte

// String returns eight hex digits.
func (id ID) String() string { return fmt.Sprintf("%x", id[:]) }

// idPurpose is what an ID is derived for: the same for every ring of a secret.
const idPurpose = "smsd sms v1: key id"

// Ring is one purpose's keys, newest first.
type Ring struct{ keys []ringKey }

type ringKey struct {
	id     ID
	mac    *MAC
	shared *boxes
}

// Ring derives the keys for a purpose, which must be one purpose's alone, as "smsd sms v1: codes".
func (r *Root) Ring(purpose string) (*Ring, error) {
	ids, err := r.Derive(idPurpose)
	if err != nil {
		return nil, err
	}
	keys, err := r.Derive(purpose)
	if err != nil {
		return nil, err
	}
	ring := &Ring{}
	for i, key := range keys {
		mac := NewMAC(key)
		ring.keys = append(ring.keys, ringKey{ID(ids[i]), mac, &boxes{mac: mac}})
	}
	return ring, nil
}

// Newest is the ID of the secret that hashes and seals.
func (r *Ring) Newest() ID { return r.keys[0].id }

// Len is how many secrets are in rotation.
func (r *Ring) Len() int { return len(r.keys) }

// Hash is under the newest secret.
func (r *Ring) Hash(parts ...string) Digest { return r.keys[0].mac.Digest(parts...) }

// Hashes are under each secret in rotation, newest first.
func (r *Ring) Hashes(parts ...string) []Digest {
	return r.AppendHashes(make([]Digest, 0, len(r.keys)), parts...)
}

// AppendHashes appends [Ring.Hashes] to all: at most MaxSecrets.
func (r *Ring) AppendHashes(all []Digest, parts ...string) []Digest {
	for _, key := range r.keys {
		all = append(all, key.mac.Digest(parts...))
	}
	return all
}

// Format writes how many keys there are, for every verb.
func (r *Ring) Format(s fmt.State, _ rune) { _, _ = fmt.Fprintf(s, "ring of %d", len(r.keys)) }
