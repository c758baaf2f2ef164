package sms

import (
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
	Locale string // the tag of the template that it was sent by; may be empty
}

// letter is what is sealed of a message with code.
func (o *order) letter(code secret.Text) letter {
	return letter{Phone: o.number, Code: code, Region: o.region, Locale: o.locale}
}

var errSeal = errors.New("sms: a letter that is damaged")

// seal closes l for the verification id, with the newest secret.
func (k *Keyring) seal(id string, l letter) ([]byte, error) { return k.seals.Seal(id, l.encode()) }

// open returns what was sealed for the verification id with any secret in use.
func (k *Keyring) open(id string, sealed []byte) (letter, error) {
	plain, err := k.seals.Open(id, sealed)
	if err != nil {
		return letter{}, fmt.Errorf("sms: %w", err)
	}
	return decodeLetter(plain)
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
