package sms

import (
	"context"
	"time"

	"smsd/internal/requestid"
	"smsd/internal/throttle"
)

// Recall makes the answer of a send or a resend anew, from what is stored: for a request that nobody lived to answer.
// What became of its message nobody knows. It sends nothing and charges nothing; the row, which may have died with the
// process, is written if it is not there. Errors are ErrNotFound, the end of a verification that has ended, or
// ErrUnavailable.
func (s *Service) Recall(ctx context.Context, app, smsID string) (Sent, error) {
	budget := s.withBudget(ctx)
	defer budget.End()
	o := &order{policy: s.terms(appOf(app)), app: appOf(app), id: smsID, request: requestid.From(ctx)}
	l := live{started: s.now()}
	var err error
	if l.record, l.letter, err = s.find(budget, o.app, smsID); err != nil {
		return Sent{}, err
	}
	if err := l.record.State(); err != nil {
		return Sent{}, err
	}
	o.number, o.scene = l.letter.Phone, o.policy.Scenes[l.record.Scene]
	if o.scene == nil {
		return Sent{}, ErrNotFound // what the policy does not know any more can't be told of
	}
	row := s.openRow(o, life{created: l.record.CreatedAt, expires: l.record.ExpiresAt})
	if err := row.wait(budget); err != nil {
		return Sent{}, err
	}
	sent := o.repeated(l, s.now(), nil, DeliveryUnknown)
	sent.ExpiresIn = max(time.Second, sent.ExpiresIn)
	sent.ResendIn, err = s.untilNext(budget, o)
	return sent, err
}

// Success is a verify that used a code up, as far as whoever asked for it knows.
type Success struct {
	App   string // "": DefaultApp
	SMSID string
	Mark  Hash      // as in the [VerifyRequest]
	Nonce string    // as in the [VerifyRequest]
	At    time.Time // about when
}

// RecallVerified makes the answer of a verify anew, with a token of its own. ErrNotFound: the code was not used up
// under that mark.
func (s *Service) RecallVerified(ctx context.Context, v Success) (Verified, error) {
	budget := s.withBudget(ctx)
	defer budget.End()
	r, l, err := s.find(budget, appOf(v.App), v.SMSID)
	if err != nil {
		return Verified{}, err
	}
	if !r.Used || r.Code != v.Mark || v.Mark == (Hash{}) {
		return Verified{}, ErrNotFound
	}
	o := &order{id: v.SMSID, app: r.App, number: l.Phone, request: requestid.From(ctx)}
	s.verifiedRow(budget, budget, o, v.At)
	return Verified{SMSID: o.id, Scene: r.Scene, Phone: o.number, VerifiedAt: v.At, Token: s.prove(budget, o, r, v.Nonce)}, nil
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
