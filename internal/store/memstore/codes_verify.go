package memstore

import (
	"context"
	"crypto/subtle"
	"time"

	"smsd/internal/sms"
)

// Verify implements [sms.Codes]. The lock makes it one step.
func (c *Codes) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, err := c.now(ctx)
	if err != nil {
		return sms.Record{}, err
	}
	return c.verify(id, g, now)
}

// verify is Verify at an instant. c.mu is held.
func (c *Codes) verify(id string, g sms.Guess, now time.Time) (sms.Record, error) {
	v := c.findAt(id, now)
	if v == nil || v.record.App != g.App {
		return sms.Record{}, sms.ErrNotFound
	}
	err := v.try(g, v.at(now).State())
	return v.at(now), err
}

// try counts or consumes, unless end says that v has ended.
func (v *verification) try(g sms.Guess, end error) error {
	switch {
	case end != nil:
		return end
	case g.Length != v.record.Length:
		return sms.ErrCodeFormat
	case right(v.record, g):
		v.use(g.Mark)
		return nil
	}
	v.record.AttemptsLeft--
	return &sms.IncorrectError{AttemptsLeft: v.record.AttemptsLeft}
}

func (v *verification) use(mark sms.Hash) {
	v.record.Used = true
	if mark != (sms.Hash{}) {
		v.record.Code = mark
	}
}

func right(r sms.Record, g sms.Guess) bool {
	return (g.Scene == "" || g.Scene == r.Scene) &&
		(g.Phone == sms.Hash{} || same(g.Phone, r.Phone)) &&
		anySame(g.Codes, r.Code)
}

// anySame looks at every candidate, so that time does not tell which secret hashed the code.
func anySame(candidates []sms.Hash, code sms.Hash) bool {
	found := false
	for _, candidate := range candidates {
		if same(candidate, code) {
			found = true
		}
	}
	return found
}

// same reports whether a and b are the same hash; the zero Hash is nobody's.
func same(a, b sms.Hash) bool {
	return a != sms.Hash{} && subtle.ConstantTimeCompare(a[:], b[:]) == 1
}
