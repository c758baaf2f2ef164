package throttle

import (
	"crypto/sha256"
	"encoding/binary"
)

// sceneMark returns the mark of a scene: two bytes of a hash of its name, never 0. A hash and not a
// number from a list, so that it means the same under every policy version. One byte would collide
// too easily (53 % at 20 scenes); two are checked when rules are compiled.
func sceneMark(scene string) uint16 { return mark("scene", scene) }

// mark hashes parts to two bytes, never 0.
func mark(parts ...string) uint16 {
	sum := sum(parts...)
	for i := 0; i+1 < len(sum); i += 2 {
		if m := binary.BigEndian.Uint16(sum[i:]); m != 0 {
			return m
		}
	}
	return 1
}

// slot hashes parts to the name of a Counter's record.
func slot(parts ...string) uint32 {
	sum := sum(parts...)
	return binary.BigEndian.Uint32(sum[:])
}

// sum hashes parts, each with its length, so that no two lists of parts look the same.
func sum(parts ...string) [sha256.Size]byte {
	return sha256.Sum256(appendParts(nil, parts...))
}

// appendParts appends parts to b, each with its length.
func appendParts(b []byte, parts ...string) []byte {
	for _, p := range parts {
		b = binary.BigEndian.AppendUint32(b, uint32(len(p)))
		b = append(b, p...)
	}
	return b
}
