package gateway

import (
	"fmt"
	"testing"
	"time"

	"smsd/internal/phone"
)

// Nobody who asks for many numbers fills the memory, and what is remembered is no more a minute later.
func TestEnoughIsBounded(t *testing.T) {
	t.Parallel()
	e, now := &enough{}, time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	for i := range 5 * maxAskers {
		e.hear(phone.MustParse("+8613800138000"), fmt.Sprint(i), &Error{Reason: Throttled, Sent: NotSent}, now)
		now = now.Add(time.Millisecond)
	}
	if n := len(e.young) + len(e.old); n > 2*maxAskers {
		t.Errorf("%d are remembered", n)
	}
	now = now.Add(2 * maxEnough)
	e.hear(phone.MustParse("+8613800138000"), "a", &Error{Reason: Throttled, Sent: NotSent}, now)
	e.hear(phone.MustParse("+8613800138000"), "a", &Error{Reason: Throttled, Sent: NotSent}, now.Add(maxEnough))
	if n := len(e.young) + len(e.old); n > 2 {
		t.Errorf("%d are still remembered", n)
	}
}
