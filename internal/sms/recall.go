package sms

import (
	"context"
	"time"

	"smsd/internal/throttle"
)

// Recall makes the answer of a send or a resend anew, from what is stored: for a request that nobody lived to answer.
// What became of its message nobody knows. It sends nothing and charges nothing. Errors are ErrNotFound, the end of a
// verification that has ended, or ErrUnavailable.
func (s *Service) Recall(ctx context.Context, app, smsID string) (Sent, error) {
	ctx, cancel := s.withBudget(context.WithoutCancel(ctx))
	defer cancel()
	o := &order{policy: s.terms(appOf(app)), app: appOf(app), id: smsID}
	l := live{started: s.now()}
	var err error
	if l.record, l.letter, err = s.recalled(ctx, o.app, smsID); err != nil {
		return Sent{}, err
	}
	if err := l.record.State(); err != nil {
		return Sent{}, err
	}
	o.number, o.scene = l.letter.Phone, o.policy.Scenes[l.record.Scene]
	if o.scene == nil {
		return Sent{}, ErrNotFound // what the policy does not know any more can't be told of
	}
	sent := o.repeated(l, s.now(), nil, DeliveryUnknown)
	sent.ExpiresIn = max(time.Second, sent.ExpiresIn)
	sent.ResendIn, err = s.untilNext(ctx, o)
	return sent, err
}

// RecallVerified makes the answer of the verify anew that used the code up under mark, with a token that holds
// nonce. ErrNotFound: none did.
func (s *Service) RecallVerified(ctx context.Context, app, smsID string, mark Hash, nonce string) (Verified, error) {
	ctx, cancel := s.withBudget(context.WithoutCancel(ctx))
	defer cancel()
	r, l, err := s.recalled(ctx, appOf(app), smsID)
	if err != nil {
		return Verified{}, err
	}
	if !r.Used || r.Code != mark || mark == (Hash{}) {
		return Verified{}, ErrNotFound
	}
	token := s.prove(ctx, &order{id: smsID, number: l.Phone}, r, nonce)
	return Verified{SMSID: smsID, Scene: r.Scene, Phone: l.Phone, Token: token}, nil
}

func (s *Service) recalled(ctx context.Context, app, smsID string) (Record, letter, error) {
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

// untilNext is how long until the limits on the phone would let another message pass.
func (s *Service) untilNext(ctx context.Context, o *order) (time.Duration, error) {
	usages, err := s.limiter.Inspect(ctx, o.charge())
	if err != nil {
		return 0, err
	}
	var longest time.Duration
	for _, u := range usages {
		if u.Mode == throttle.Enforce {
			longest = max(longest, u.RetryAfter)
		}
	}
	return roundUp(longest, time.Second), nil
}
