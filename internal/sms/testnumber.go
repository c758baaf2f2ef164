package sms

import (
	"context"
	"time"

	"golang.org/x/time/rate"

	"smsd/internal/phone"
	"smsd/internal/throttle"
)

// A test number's code is always the same and its sends cost no quota. So that neither is a gift to whoever
// learns the number, wrong codes count as for any number, and what its sends may store is bounded here.
const (
	// testRate and testBurst bound the sends to test numbers in this process, a second and at once. A
	// verification is kept for its life and ten minutes: 20 a second are 18,000 of codes that live five, a
	// fourteenth of what the store in the process holds.
	testRate  = 20
	testBurst = 200
	// testRule is the rule by which such a send is refused.
	testRule = "local-test-numbers"
)

// testNumber returns what n gets if it is a test number at now.
func (p *Policy) testNumber(n phone.Number, now time.Time) (TestNumber, bool) {
	test, listed := p.TestNumbers[n]
	return test, listed && !over(test.Until, now)
}

// sendTest stores a test number's code. It costs no quota and sends nothing.
func (s *Service) sendTest(ctx context.Context, o *order, test TestNumber) (Sent, error) {
	if err := s.paceTest(); err != nil {
		return Sent{}, err
	}
	if err := s.guessable(ctx, o); err != nil {
		return Sent{}, err
	}
	d, err := s.draft(o, test.Code)
	if err != nil {
		return Sent{}, err
	}
	life, err := s.store(ctx, d)
	if err != nil {
		return Sent{}, err
	}
	if err := o.before.call(ctx, o.id); err != nil {
		s.undoTest(ctx, o)
		return Sent{}, err
	}
	row := s.openRow(o, life)
	o.gateway = testGateway
	s.sentRow(o, life, DeliveryAccepted)
	if err := row.wait(ctx); err != nil {
		return Sent{}, &DoubtError{err}
	}
	sent := o.answer(nil, life, DeliveryAccepted)
	sent.CodeLength = len(test.Code.Reveal())
	return sent, nil
}

// announceTest calls before, if there is one. What it writes down must not be had for nothing, as a resend to a test
// number is, so it takes a place among the sends to test numbers.
func (s *Service) announceTest(ctx context.Context, o *order) error {
	if o.before == nil {
		return nil
	}
	if err := s.paceTest(); err != nil {
		return err
	}
	return o.before(ctx, o.id)
}

// paceTest takes one place among the sends to test numbers.
func (s *Service) paceTest() error {
	now := s.now()
	place := s.tests.ReserveN(now, 1)
	wait := place.DelayFrom(now)
	if wait == 0 {
		return nil
	}
	place.CancelAt(now)
	return &throttle.Denied{Decision: throttle.Decision{Rule: testRule, Used: testBurst, Limit: testBurst, RetryAfter: wait}}
}

func newTestPace() *rate.Limiter { return rate.NewLimiter(testRate, testBurst) }

// guessable refuses where the budget of wrong codes is spent, as the reservation does for other numbers.
func (s *Service) guessable(ctx context.Context, o *order) error {
	usages, err := s.limiter.Inspect(ctx, throttle.Request{
		Rules: o.policy.Rules, Event: throttle.Guess, Scene: o.scene.Name, Subjects: o.subjects(),
	})
	if err != nil {
		return err
	}
	var denied *throttle.Denied
	for _, u := range usages {
		if u.Mode == throttle.Enforce && u.RetryAfter > 0 && (denied == nil || u.RetryAfter > denied.RetryAfter) {
			denied = &throttle.Denied{Decision: throttle.Decision{Rule: u.Rule, Used: u.Used, Limit: u.Limit, RetryAfter: u.RetryAfter}}
		}
	}
	if denied != nil {
		return denied
	}
	return nil
}
