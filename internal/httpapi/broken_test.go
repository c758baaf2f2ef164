package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// lost is a store of codes that can be cut off: the real one behind a switch.
type lost struct {
	sms.Codes
	gone error
}

func (l *lost) Put(ctx context.Context, id string, n sms.NewRecord) (time.Time, error) {
	if l.gone != nil {
		return time.Time{}, l.gone
	}
	return l.Codes.Put(ctx, id, n)
}

func (l *lost) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	if l.gone != nil {
		return sms.Record{}, l.gone
	}
	return l.Codes.Verify(ctx, id, g)
}

func (l *lost) Get(ctx context.Context, id string) (sms.Record, error) {
	if l.gone != nil {
		return sms.Record{}, l.gone
	}
	return l.Codes.Get(ctx, id)
}

// cutOff is a store of counters that panics, or is out of reach.
type cutOff struct {
	throttle.Store
	panics bool
}

func (c *cutOff) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if c.panics {
		panic(errors.New("+8613800138000"))
	}
	return throttle.Taken{}, fmt.Errorf("cut off: %w", throttle.ErrUnavailable)
}

// What no row knows says nothing but its request id; the log has the rest.
func TestInternalSaysNothing(t *testing.T) {
	t.Parallel()
	codes := &lost{gone: errors.New("disk on fire")}
	a := newAPI(t, func(s *setup) {
		s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
	})
	r := a.sendTo(alice)
	a.want(r, 500, "internal")
	if strings.Contains(string(r.body), "fire") {
		t.Errorf("the answer tells: %s", r.body)
	}
	if log := a.log.String(); !strings.Contains(log, "disk on fire") || !strings.Contains(log, r.text("request_id")) {
		t.Errorf("the log does not tell: %s", log)
	}
}

// A panic is a 500 too, and what it was carrying is not in the log.
func TestPanicIsAnswered(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) {
		s.counters = func(real throttle.Store) throttle.Store { return &cutOff{real, true} }
	})
	r := a.sendTo(alice)
	a.want(r, 500, "internal")
	log := a.log.String()
	if !strings.Contains(log, "panic") || !strings.Contains(log, r.text("request_id")) || !strings.Contains(log, "broken_test.go") {
		t.Errorf("the log does not say where: %s", log)
	}
	if strings.Contains(log, "13800138000") {
		t.Error("the log holds what the panic was carrying")
	}
}

// cron-job.org#446, paramant-relay PR 368, Truxify PR 1218: with the store away nothing is sent, nothing is
// verified, and nothing is called a wrong code.
func TestStoreAway(t *testing.T) {
	t.Parallel()
	codes := &lost{}
	a := newAPI(t, func(s *setup) {
		s.codes = func(real sms.Codes) sms.Codes { codes.Codes = real; return codes }
	})
	id, code := a.sent(alice)
	codes.gone = fmt.Errorf("away: %w", sms.ErrUnavailable)
	for _, r := range []*reply{a.sendTo("+8613900139000"), a.verify(id, code), a.verify(id, "123456"), a.resend(id)} {
		a.want(r, 503, "unavailable")
	}
	if n := len(a.messages()); n != 1 {
		t.Errorf("%d messages, want 1", n)
	}
	codes.gone = nil
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("back again: %d %s", r.status, r.body)
	}
	a.sent("+8613900139000") // what the failed send was charged is given back
}

// A full store answers new numbers 503, and keeps those that are in it.
func TestStoreFull(t *testing.T) {
	t.Parallel()
	a := newAPI(t, func(s *setup) { s.maxCodes = 1 })
	id, code := a.sent(alice)
	a.want(a.sendTo("+8613900139000"), 503, "unavailable")
	if r := a.verify(id, code); r.status != http.StatusOK {
		t.Errorf("verify: %d %s", r.status, r.body)
	}
}
