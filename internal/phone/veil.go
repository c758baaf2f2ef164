package phone

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
	"encoding/binary"
	"strings"
	"sync"

	"github.com/nyaruka/phonenumbers/v2/metadata"
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

type veiling struct {
	cipher cipher.Block
	// rooms are blocks to work in: a cipher is called through an interface, so that what it works on is never on the stack, and a
	// request unveils its number a dozen times.
	rooms sync.Pool
}

func newVeil() *veiling {
	var key [16]byte
	rand.Read(key[:]) // never fails, as of Go 1.24
	c, err := aes.NewCipher(key[:])
	if err != nil {
		panic(err) // can't be: AES takes keys of that size
	}
	return &veiling{c, sync.Pool{New: func() any { return new(block) }}}
}

func (l line) veiled() block {
	var b block
	binary.BigEndian.PutUint64(b[:], l.digits)
	copy(b[inCountry:inCalling], l.country)
	b[inCalling], b[inType] = byte(l.calling), byte(l.typ)
	return veil.through(veil.cipher.Encrypt, b)
}

func (b block) unveiled() block { return veil.through(veil.cipher.Decrypt, b) }

// through returns what turn makes of b, and leaves no trace in the room.
func (v *veiling) through(turn func(dst, src []byte), b block) block {
	room := v.rooms.Get().(*block)
	*room = b
	turn(room[:], room[:])
	b, *room = *room, block{}
	v.rooms.Put(room)
	return b
}

func (b block) digits() uint64 { return binary.BigEndian.Uint64(b[:]) }

// country is a text that there is already, but for what no numbering plan knows.
func (b block) country() string {
	if known, ok := countries[[countrySize]byte(b[inCountry:inCalling])]; ok {
		return known
	}
	return strings.TrimRight(string(b[inCountry:inCalling]), "\x00")
}

const countrySize = inCalling - inCountry

// countries are the regions of all plans, by their bytes in a block.
var countries = newCountries()

func newCountries() map[[countrySize]byte]string {
	all := map[[countrySize]byte]string{}
	for _, names := range metadata.CountryCodeToRegion() {
		for _, name := range names {
			var key [countrySize]byte
			copy(key[:], name)
			all[key] = name
		}
	}
	return all
}

func (b block) calling() int { return int(b[inCalling]) }
func (b block) typ() Type    { return Type(b[inType]) }
