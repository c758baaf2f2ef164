package memstore

import (
	"context"
	"errors"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// besideCodes is a [throttle.Store] that does errands for codes.
type besideCodes struct {
	*Counters
	codes *Codes
}

var _ throttle.Store = besideCodes{}

// BesideCodes returns the [throttle.Store] on c that does a [sms.PutErrand] and a [sms.VerifyErrand] on codes, which has the
// same clock, in the step of the charge.
func (c *Counters) BesideCodes(codes *Codes) throttle.Store { return besideCodes{c, codes} }

// Take implements [throttle.Store].
func (b besideCodes) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if t.Force {
		return b.Counters.Take(ctx, t)
	}
	switch errand := t.Errand.(type) {
	case *sms.PutErrand:
		return b.take(ctx, t, func(taken *throttle.Taken) error { return b.codes.putAlong(errand, taken) })
	case *sms.VerifyErrand:
		return b.take(ctx, t, func(taken *throttle.Taken) error { b.codes.verifyAlong(errand, taken); return nil })
	}
	return b.Counters.Take(ctx, t)
}

// putAlong does errand at the instant of its take.
func (c *Codes) putAlong(errand *sms.PutErrand, taken *throttle.Taken) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	err := c.put(errand.ID, errand.Record, taken.At)
	if errors.Is(err, errExists) {
		return nil
	}
	taken.ErrandDone = err == nil
	return err
}

// verifyAlong does errand at the instant of its take.
func (c *Codes) verifyAlong(errand *sms.VerifyErrand, taken *throttle.Taken) {
	c.mu.Lock()
	defer c.mu.Unlock()
	errand.Record, errand.Err = c.verify(errand.ID, errand.Guess, taken.At)
	taken.ErrandDone, taken.Free = true, errand.Err == sms.ErrCodeFormat
}
