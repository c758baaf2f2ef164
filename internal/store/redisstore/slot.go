package redisstore

import "strings"

// slotCount is how many slots the keys of a cluster are spread over, as in the Redis Cluster specification.
const slotCount = 16384

// slotOf returns the slot of a key: the checksum of what stands between its first brace and the next closing one, or
// of the whole key if there are none, or nothing between them.
func slotOf(key string) int {
	if _, behind, found := strings.Cut(key, "{"); found {
		if tag, _, closed := strings.Cut(behind, "}"); closed && tag != "" {
			key = tag
		}
	}
	return int(crc16(key)) % slotCount
}

// crc16 is CRC-16/XMODEM (polynomial 0x1021, start 0), which the specification asks for.
func crc16(text string) (sum uint16) {
	for _, b := range []byte(text) {
		sum ^= uint16(b) << 8
		for range 8 {
			carry := sum&0x8000 != 0
			if sum <<= 1; carry {
				sum ^= 0x1021
			}
		}
	}
	return sum
}
