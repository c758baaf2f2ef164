package sms

import (
	"context"

	"smsd/internal/throttle"
)

// reserve takes quota for one message, or says who refused.
func (s *Service) reserve(ctx context.Context, o *order) (*throttle.Reservation, error) {
	quota, err := s.limiter.Reserve(ctx, throttle.Request{
		Rules: o.policy.Rules, Event: throttle.Send, Scene: o.scene.Name, Subjects: o.subjects(),
	})
	return quota, storeError(err)
}

// reserveVerify takes quota for one verify, of the client alone: a stranger can't use up what a
// number's owner needs.
func (s *Service) reserveVerify(ctx context.Context, a *attempt) (*throttle.Reservation, error) {
	quota, err := s.limiter.Reserve(ctx, throttle.Request{
		Rules: a.policy.Rules, Event: throttle.Verify, Scene: a.ruledBy(), Subjects: clientSubjects(a.app, a.client),
	})
	return quota, storeError(err)
}

// chargeGuess counts a wrong code against whoever it was for. Where that fails, the answer stays.
func (s *Service) chargeGuess(ctx context.Context, o *order) {
	if o.scene == nil {
		return // the policy does not know the scene any more, so no rule counts it
	}
	ctx, cancel := s.withRest(ctx)
	defer cancel()
	err := s.limiter.Charge(ctx, throttle.Request{
		Rules: o.policy.Rules, Event: throttle.Guess, Scene: o.scene.Name, Subjects: o.subjects(),
	})
	if err != nil {
		s.failed(ctx, o, stepGuess, err)
	}
}
