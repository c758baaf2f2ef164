package sms

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"sync"
	"testing"
)

// A digest is that of an HMAC which was made for it alone, whatever the key's kept ones have digested before.
func TestDigestsOfKeptMACs(t *testing.T) {
	t.Parallel()
	key := newMACKey(secretOf(7))
	var work sync.WaitGroup
	for i := range 8 {
		work.Go(func() {
			for j := range 50 {
				parts := []string{idA, fmt.Sprint(i), fmt.Sprint(1 << j), ""}[:1+(i+j)%4]
				mac := hmac.New(sha256.New, secretOf(7))
				for _, part := range parts {
					_ = binary.Write(mac, binary.BigEndian, uint64(len(part)))
					mac.Write([]byte(part))
				}
				if got := key.digest(parts...); [32]byte(mac.Sum(nil)) != got {
					t.Errorf("%q: %x", parts, got)
				}
			}
		})
	}
	work.Wait()
}
