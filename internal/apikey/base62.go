package apikey

import (
	"crypto/rand"
	"hash/crc32"
)

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// fair is how many of a byte's values are taken: as many as are a multiple of the alphabet. The rest would favour
// the first characters, and are drawn again.
const fair = 256 / len(alphabet) * len(alphabet)

// draw appends n characters of the alphabet to b, each as likely as the next.
func draw(b []byte, n int) []byte {
	var random [64]byte
	for {
		_, _ = rand.Read(random[:]) // never fails (crypto/rand)
		for _, r := range random {
			if n == 0 {
				return b
			}
			if int(r) < fair {
				b = append(b, alphabet[int(r)%len(alphabet)])
				n--
			}
		}
	}
}

// appendChecksum appends the checksum of b.
func appendChecksum(b []byte) []byte {
	sum := checksum(string(b))
	return append(b, sum[:]...)
}

// checksum is the CRC-32 of b in base 62, as many characters as the largest one has.
func checksum(b string) (digits [checksumSize]byte) {
	sum := crc32.ChecksumIEEE([]byte(b))
	for i := len(digits) - 1; i >= 0; i-- {
		digits[i] = alphabet[sum%uint32(len(alphabet))]
		sum /= uint32(len(alphabet))
	}
	return digits
}

func inAlphabet(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return true
}
