package testserver

import (
	"strings"
	"testing"
)

// The sentinels put the replica in the place of a primary that died.
func TestSentinel(t *testing.T) {
	t.Parallel()
	s := RedisSentinel(t)
	if strings.Count(s.URL(), ",") != 2 {
		t.Errorf("not three sentinels: %s", s.URL())
	}
	dead := s.Primary()
	dead.Kill()
	s.AwaitFailover(dead)
	if got := s.Primary(); got == dead || got.text("set", "a", "1") != "OK" {
		t.Errorf("the new primary does not take writes")
	}
}
