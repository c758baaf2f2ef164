package keyring

import (
	"crypto/cipher"
	"errors"
)

// What is sealed is a header, a nonce and the ciphertext. The header is the format's version and the ID of
// the secret; with the name of what it belongs to it is the additional data. The version tells which box it is in.
const (
	sealOwn    = 1 // a box of the name's own: what was sealed before is opened still
	sealShared = 2 // a box that names share
	headerSize = 1 + len(ID{})
)

// Overhead is how many bytes longer than the plain text a sealed one is: header, nonce and tag.
const Overhead = headerSize + 12 + 16

// ErrSeal is what is sealed with a secret that is not in use, belongs to something else, or is damaged.
var ErrSeal = errors.New("sealed with a secret that is not in use, for something else, or damaged")

// Seal closes plain with the newest secret and binds it to name.
func (r *Ring) Seal(name string, plain []byte) ([]byte, error) {
	key := r.keys[0]
	box, err := key.shared.of(name)
	if err != nil {
		return nil, err
	}
	// What is sealed has the beginning of the buffer, and the additional data, which are not kept, its end.
	size := headerSize + len(plain) + box.Overhead()
	buf := make([]byte, headerSize, size+headerSize+len(name))
	buf[0] = sealShared
	copy(buf[1:], key.id[:])
	return box.Seal(buf[:headerSize:size], nil, plain, additional(buf[size:size], buf, name)), nil
}

// Open returns what was sealed for name with any secret in use, or ErrSeal.
func (r *Ring) Open(name string, sealed []byte) ([]byte, error) {
	id, ok := SealedWith(sealed)
	if !ok {
		return nil, ErrSeal
	}
	for _, key := range r.keys {
		if key.id != id {
			continue
		}
		if plain, err := key.open(name, sealed); err == nil {
			return plain, nil
		}
	}
	return nil, ErrSeal
}

// SealedWith returns the ID of the secret that sealed something; false if nothing of ours did.
func SealedWith(sealed []byte) (ID, bool) {
	if len(sealed) < headerSize || sealed[0] != sealOwn && sealed[0] != sealShared {
		return ID{}, false
	}
	return ID(sealed[1:headerSize]), true
}

func (k ringKey) open(name string, sealed []byte) ([]byte, error) {
	box, err := k.box(sealed[0], name)
	if err != nil {
		return nil, err
	}
	header, rest := sealed[:headerSize], sealed[headerSize:]
	return box.Open(nil, nil, rest, additional(nil, header, name))
}

// box returns what a version's text for name is in.
func (k ringKey) box(version byte, name string) (cipher.AEAD, error) {
	if version == sealOwn {
		return newBox(k.mac.Digest(name))
	}
	return k.shared.of(name)
}

// additional appends to data what the box is sealed with beside its text.
func additional(data, header []byte, name string) []byte {
	return append(append(data, header...), name...)
}
