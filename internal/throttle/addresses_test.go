package throttle

import (
	"fmt"
	"testing"
	"time"
)

// One after the other, hosts get the place of who has left: each finds a full bucket, is held to it, and leaves nothing behind.
func TestPlacesServeAgain(t *testing.T) {
	t.Parallel()
	a := newAddresses(LocalOptions{IPRate: 1, IPBurst: 1, MaxAddresses: 2})
	now := time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	for n := range 10 {
		host := fmt.Sprint("192.0.2.", n)
		own := a.limiter(now, host)
		if own != nil {
			t.Fatalf("%s has no place to come", host)
		}
		a.charge(now, host, own)
		if own = a.limiter(now, host); own == nil || own.TokensAt(now) != 0 {
			t.Fatalf("%s has not paid", host)
		}
		if len(a.byHost) != 1 || a.recent.Len() != 1 {
			t.Fatalf("%d hosts in %d places", len(a.byHost), a.recent.Len())
		}
		now = now.Add(time.Second)
	}
}
