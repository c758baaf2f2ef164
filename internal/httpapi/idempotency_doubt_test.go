package httpapi

import (
	"context"
	"fmt"
	"testing"
	"time"

	"smsd/internal/sms"
)

// A store of codes that says nothing after it has used the code up, or before: neither is a wrong answer later.
func TestVerifyWhoseStoreSaysNothing(t *testing.T) {
	t.Parallel()
	for name, done := range map[string]bool{"used up": true, "not used up": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			codes := &silent{done: done}
			a, _ := newOnceAPI(t, func(s *setup) {
				s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
			})
			id, code := a.sent(alice)
			codes.quiet = true
			a.want(a.verifyUnder("k", id, code), 503, "unavailable")
			codes.quiet = false
			a.want(a.verifyUnder("k", id, code), 409, "request_in_progress")
			a.clock.Advance(5 * time.Second)
			again := a.verifyUnder("k", id, code)
			a.want(again, 200, "")
			if again.text("phone") != alice || again.field("verified") != true || (again.header.Get("Idempotency-Replayed") == "true") != done {
				t.Errorf("answer %v %s", again.header, again.body)
			}
			a.want(a.verifyUnder("k2", id, code), 410, "code_used")
		})
	}
}

// silent is a store of codes that verifies, or not, and does not say.
type silent struct {
	sms.Codes
	quiet, done bool
}

func (s *silent) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	if !s.quiet {
		return s.Codes.Verify(ctx, id, g)
	}
	if s.done {
		_, _ = s.Codes.Verify(ctx, id, g)
	}
	return sms.Record{}, fmt.Errorf("no answer: %w", sms.ErrUnavailable)
}

// A message left, and the code that it carries could not take the old one's place: it is not sent again.
func TestRotationThatFailsAfterTheMessage(t *testing.T) {
	t.Parallel()
	codes := &noAmend{}
	a, _ := newOnceAPI(t, func(s *setup) {
		s.policy.Scenes["login"].Rotate = true
		s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
	})
	id, _ := a.sent(alice)
	a.clock.Advance(time.Minute)
	codes.fails = true
	body := `{"sms_id":` + quote(id) + `}`
	a.want(a.under("k", "resend", body), 503, "unavailable")
	codes.fails = false
	a.wantMessages(2)
	a.clock.Advance(2 * time.Minute)
	again := a.under("k", "resend", body)
	if again.text("delivery") != "unknown" {
		t.Errorf("answer %d %s", again.status, again.body)
	}
	a.wantMessages(2)
}

type noAmend struct {
	sms.Codes
	fails bool
}

func (n *noAmend) Amend(ctx context.Context, id string, a sms.Amendment) error {
	if n.fails {
		return sms.ErrUnavailable
	}
	return n.Codes.Amend(ctx, id, a)
}
