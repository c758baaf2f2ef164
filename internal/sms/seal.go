package sms

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"
	"fmt"

	"smsd/internal/phone"
	"smsd/internal/secret"
)

// letter is what a store keeps sealed: what a resend must repeat, and who a wrong code counts against.
type letter struct {
	Phone  phone.Number
	Code   secret.Text
	Region string // with which Phone was read; may be empty
	Locale string // as asked for; may be empty
}

// letter is what is sealed of a message with code.
func (o *order) letter(code secret.Text) letter {
	return letter{Phone: o.number, Code: code, Region: o.region, Locale: o.locale}
}

// A sealed letter is a header, a nonce and the ciphertext. The header is the format's version and the
// id of the key set; with the sms_id it is the additional data.
const (
	sealVersion = 1
	headerSize  = 1 + 4
)

var errSeal = errors.New("sms: sealed with a secret that is not in use, for another verification, or damaged")

// seal closes l for the verification id, with the newest secret.
func (k *Keyring) seal(id string, l letter) ([]byte, error) {
	set := k.sets[0]
	box, err := set.box(id)
	if err != nil {
		return nil, err
	}
	plain := l.encode()
	header := append(make([]byte, 0, headerSize+len(plain)+box.Overhead()), sealVersion)
	header = append(header, set.id[:]...)
	return box.Seal(header, nil, plain, additional(header, id)), nil
}

// open returns what was sealed for the verification id with any secret in use.
func (k *Keyring) open(id string, sealed []byte) (letter, error) {
	if len(sealed) < headerSize || sealed[0] != sealVersion {
		return letter{}, errSeal
	}
	for _, set := range k.sets {
		if set.id != [4]byte(sealed[1:headerSize]) {
			continue
		}
		if plain, err := set.open(id, sealed); err == nil {
			return decodeLetter(plain)
		}
	}
	return letter{}, errSeal
}

func (s keySet) open(id string, sealed []byte) ([]byte, error) {
	box, err := s.box(id)
	if err != nil {
		return nil, err
	}
	header, rest := sealed[:headerSize], sealed[headerSize:]
	return box.Open(nil, nil, rest, additional(header, id))
}

// box returns AES-256-GCM under a key of the verification's own. One key for all would have to be
// changed every 2^32 messages (NIST SP 800-38D, section 8.3): 25 days at 2,000 a second.
func (s keySet) box(id string) (cipher.AEAD, error) {
	key := s.seals.digest(id)
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, fmt.Errorf("sms: seal: %w", err)
	}
	return cipher.NewGCMWithRandomNonce(block)
}

func additional(header []byte, id string) []byte {
	return append(append(make([]byte, 0, len(header)+len(id)), header...), id...)
}

// encode writes the fields in order, each behind its length in one byte. Every field is bounded far
// below 256 bytes before it gets here.
func (l letter) encode() []byte {
	out := make([]byte, 0, 64) // most take less
	for _, field := range []string{l.Phone.Pack(), l.Code.Reveal(), l.Region, l.Locale} {
		out = append(out, byte(len(field)))
		out = append(out, field...)
	}
	return out
}

func decodeLetter(plain []byte) (letter, error) {
	var fields [4]string
	for i := range fields {
		if len(plain) == 0 {
			return letter{}, errSeal
		}
		end := 1 + int(plain[0])
		if len(plain) < end {
			return letter{}, errSeal
		}
		fields[i], plain = string(plain[1:end]), plain[end:]
	}
	number, err := phone.Unpack(fields[0])
	if err != nil || len(plain) != 0 {
		return letter{}, errSeal
	}
	return letter{Phone: number, Code: secret.New(fields[1]), Region: fields[2], Locale: fields[3]}, nil
}
