package keyring

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"sync/atomic"
)

// boxCount is how many boxes the names of a key share. A box made anew for each name takes 1.3 KB; but each has to be
// changed every 2^32 texts, since its nonces are random (NIST SP 800-38D, section 8.3). So many together last for 2^40:
// 17 years at 2,000 a second.
const boxCount = 256

// boxes are AES-256-GCM under the keys that names share, each made when it is first needed. Safe for concurrent use.
type boxes struct {
	mac  *MAC
	made [boxCount]atomic.Pointer[cipher.AEAD]
}

// of returns the box for name. Two that are made at once are the same.
func (b *boxes) of(name string) (cipher.AEAD, error) {
	place := placeOf(name)
	if made := b.made[place].Load(); made != nil {
		return *made, nil
	}
	box, err := newBox(b.mac.Digest("box", string([]byte{place})))
	if err == nil {
		b.made[place].Store(&box)
	}
	return box, err
}

// placeOf spreads names over the boxes. It is part of the format: what is sealed does not say its place.
func placeOf(name string) (place byte) {
	for i := range len(name) {
		place = 31*place + name[i]
	}
	return place
}

func newBox(key Digest) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("seal: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}
