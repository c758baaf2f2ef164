package phone

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"strings"
)

// line is all that is known of a number.
type line struct {
	digits  uint64 // of the E.164 form: 15 of them fit, and the first is not 0
	country string // ISO 3166, or World
	calling int    // digits of the calling code
	typ     Type
}

// block is a line in bytes: of a fixed place each, and none but zeros for no line.
type block [aes.BlockSize]byte

const (
	inCountry = 8
	inCalling = 11
	inType    = 12
)

// veil turns a block into noise and back. Equal blocks are equal noise. Its key is of this process alone: nothing
// veiled ever leaves it.
var veil = newVeil()

func newVeil() cipher.Block {
	var key [16]byte
	rand.Read(key[:]) // never fails, as of Go 1.24
	c, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // can't be: AES takes keys of that size
	}
	return c
}

func (l line) veiled() (b block) {
	binary.BigEndian.PutUint64(b[:], l.digits)
	copy(b[inCountry:inCalling], l.country)
	b[inCalling], b[inType] = byte(l.calling), byte(l.typ)
	veil.Encrypt(b[:], b[:])
	return b
}

func (b block) unveiled() block {
	veil.Decrypt(b[:], b[:])
	return b
}

func (b block) digits() uint64  { return binary.BigEndian.Uint64(b[:]) }
func (b block) country() string { return strings.TrimRight(string(b[inCountry:inCalling]), "\x00") }
func (b block) calling() int    { return int(b[inCalling]) }
func (b block) typ() Type       { return Type(b[inType]) }
