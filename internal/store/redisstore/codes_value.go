package redisstore

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"time"

	"smsd/internal/sms"
)

// maxLife bounds the times of a record, so that no sum of them leaves the six bytes that hold an instant.
const maxLife = 366 * 24 * time.Hour

// bodyFixed is what a body takes beside app, scene and sealed: the length of the code, two hashes, three lengths.
const bodyFixed = 1 + 2*len(sms.Hash{}) + 1 + 1 + 2

// guessFixed is what a guess takes beside app, scene and the hashes of codes: its length, two hashes, two lengths.
const guessFixed = 1 + 2*len(sms.Hash{}) + 1 + 1

// newAtMost is what a new record takes before its body: attempts, ttl, keep, and the sum of both as text.
const newAtMost = 1 + 6 + 6 + 12

// packNew returns a new record as the scripts read it; code_value.lua has the layout.
func packNew(n sms.NewRecord) ([]byte, error) {
	switch {
	case len(n.App) > math.MaxUint8 || len(n.Scene) > math.MaxUint8 || len(n.Sealed) > math.MaxUint16:
		return nil, fmt.Errorf("redisstore: app or scene is longer than %d bytes, or sealed than %d", math.MaxUint8, math.MaxUint16)
	case n.Length < 0 || n.Length > math.MaxUint8 || n.Attempts < 0 || n.Attempts > math.MaxUint8:
		return nil, fmt.Errorf("redisstore: length %d or attempts %d is out of range", n.Length, n.Attempts)
	case n.TTL < 0 || n.TTL > maxLife || n.Keep < 0 || n.Keep > maxLife:
		return nil, fmt.Errorf("redisstore: ttl %s or keep %s is out of range", n.TTL, n.Keep)
	}
	b := make([]byte, 0, newAtMost+bodyFixed+len(n.App)+len(n.Scene)+len(n.Sealed))
	b = append48(append48(append(b, byte(n.Attempts)), n.TTL.Milliseconds()), n.Keep.Milliseconds())
	b = append(strconv.AppendInt(b, max(1, (n.TTL+n.Keep).Milliseconds()), 10), 0)
	b = append(append(b, byte(n.Length)), n.Code[:]...)
	b = append(b, n.Phone[:]...)
	b = append(append(b, byte(len(n.App))), n.App...)
	b = append(append(b, byte(len(n.Scene))), n.Scene...)
	b = binary.BigEndian.AppendUint16(b, uint16(len(n.Sealed)))
	return append(b, n.Sealed...), nil
}

// packGuess returns a guess as the script reads it; code_value.lua has the layout. Zero hashes of codes are left out, since they
// match nothing.
func packGuess(g sms.Guess) ([]byte, error) {
	if len(g.App) > math.MaxUint8 || len(g.Scene) > math.MaxUint8 || g.Length < 0 || g.Length > math.MaxUint8 {
		return nil, fmt.Errorf("redisstore: app or scene of a guess is longer than %d bytes, or its length %d is out of range", math.MaxUint8, g.Length)
	}
	b := make([]byte, 0, guessFixed+len(g.App)+len(g.Scene)+len(g.Codes)*len(sms.Hash{}))
	b = append(append(b, byte(g.Length)), g.Phone[:]...)
	b = append(b, g.Mark[:]...)
	b = append(append(b, byte(len(g.App))), g.App...)
	b = append(append(b, byte(len(g.Scene))), g.Scene...)
	return appendHashes(b, g.Codes...), nil
}

// append48 appends n, which the bounds of a record keep below 2^48.
func append48(b []byte, n int64) []byte {
	return append32(binary.BigEndian.AppendUint16(b, uint16(n>>32)), n)
}

func checkAmendment(a sms.Amendment) error {
	if a.ExpiresIn < 0 || a.ExpiresIn > maxLife || len(a.Sealed) > math.MaxUint16 {
		return fmt.Errorf("redisstore: an amendment to %s with %d sealed bytes is out of range", a.ExpiresIn, len(a.Sealed))
	}
	return nil
}

// appendHashes puts hashes one behind the other, but for zero ones.
func appendHashes(b []byte, hashes ...sms.Hash) []byte {
	for _, h := range hashes {
		if h != (sms.Hash{}) {
			b = append(b, h[:]...)
		}
	}
	return b
}

// unpackRecord reads a whole value. The scripts have checked it.
func unpackRecord(value string) (sms.Record, error) {
	in := reader{rest: value}
	in.skip(1) // the version
	r := sms.Record{Used: in.number(1) == 1, AttemptsLeft: in.number(1)}
	r.CreatedAt, r.ExpiresAt = in.instant(), in.instant()
	in.skip(6) // keep
	r.Length = in.number(1)
	copy(r.Code[:], in.take(16))
	copy(r.Phone[:], in.take(16))
	r.App = in.take(in.number(1))
	r.Scene = in.take(in.number(1))
	if sealed := in.take(in.number(2)); sealed != "" {
		r.Sealed = []byte(sealed)
	}
	if in.short || in.rest != "" {
		return sms.Record{}, errReply
	}
	return r, nil
}

// reader takes a value apart, big-endian.
type reader struct {
	rest  string
	short bool
}

func (r *reader) take(n int) string {
	if n > len(r.rest) {
		r.rest, r.short = "", true
		return ""
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}

func (r *reader) skip(n int) { r.take(n) }

func (r *reader) number(bytes int) int {
	n := 0
	for _, b := range []byte(r.take(bytes)) {
		n = n<<8 | int(b)
	}
	return n
}

func (r *reader) instant() time.Time { return time.UnixMilli(int64(r.number(6))).UTC() }
