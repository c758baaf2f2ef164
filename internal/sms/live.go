package sms

import (
	"context"
	"time"
)

// minResend is the least time that a repeated code must have left: the message states whole minutes,
// and one that arrives with seconds to go only brings its reader back once more.
const minResend = time.Minute

// live is a verification that a resend found.
type live struct {
	record  Record
	letter  letter
	started time.Time // here, just before record.Now
}

func (l live) remaining(now time.Time) time.Duration {
	return l.record.ExpiresAt.Sub(l.record.Now) - max(0, now.Sub(l.started))
}

// lookUp finds the verification and fills in the order from it.
func (s *Service) lookUp(ctx context.Context, o *order) (live, error) {
	l := live{started: s.now()}
	var err error
	if l.record, l.letter, err = s.find(ctx, o.app, o.id); err != nil {
		return l, err
	}
	o.number, o.region, o.locale = l.letter.Phone, l.letter.Region, l.letter.Locale
	o.scene = o.policy.Scenes[l.record.Scene]
	return l, s.repeatable(o, l)
}

// find reads a verification of app. Another app's is as one that never was.
func (s *Service) find(ctx context.Context, app, smsID string) (Record, letter, error) {
	r, err := s.codes.Get(ctx, smsID)
	if err != nil {
		return Record{}, letter{}, err
	}
	if r.App != app {
		return Record{}, letter{}, ErrNotFound
	}
	l, err := s.keys.open(smsID, r.Sealed)
	return r, l, err
}

// repeatable says whether a message with the code may go out again.
func (s *Service) repeatable(o *order, l live) error {
	if err := l.record.State(); err != nil {
		return err
	}
	if l.remaining(s.now()) < minResend {
		return ErrExpired
	}
	if o.scene == nil {
		return ErrUnknownScene
	}
	return o.scene.wantsDevice(o.device)
}
