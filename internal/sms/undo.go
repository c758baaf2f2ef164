package sms

import (
	"context"

	"smsd/internal/throttle"
)

// Undoing comes before the answer: a client that tries again at once must find its quota given back
// (casdoor 1046, 1291). It has a time-out of its own, and a failure is logged and counted, no more:
// what stays charged is free again after a window, and a code that stays has reached nobody.

// The steps whose failure is counted and changes no answer.
const (
	stepRefund = "refund"
	stepDelete = "delete"
	stepExtend = "extend"
	stepGuess  = "guess"
	stepRecord = "record"
	stepToken  = "token"
)

// refundBriefly gives everything back when the store's budget may be spent.
func (s *Service) refundBriefly(ctx, budget context.Context, o *order, quota *throttle.Reservation) {
	rest := s.withRest(ctx, budget)
	defer rest.End()
	s.refund(rest, o, quota)
}

// undoSend gives back what a message that did not leave has cost, and forgets its code.
func (s *Service) undoSend(ctx context.Context, o *order, quota *throttle.Reservation, f *failure) {
	budget := s.withBudget(ctx)
	defer budget.End()
	s.refund(budget, o, quota, f.refund...)
	if err := s.codes.Delete(budget, o.id); err != nil {
		s.failed(budget, o, stepDelete, err)
	}
}

// undoTest forgets the code of a test number, which has cost nothing.
func (s *Service) undoTest(ctx context.Context, o *order) {
	if err := s.codes.Delete(ctx, o.id); err != nil {
		s.failed(ctx, o, stepDelete, err)
	}
}

// undoResend gives back what a message that did not leave has cost. The code before it lives on.
func (s *Service) undoResend(ctx context.Context, o *order, quota *throttle.Reservation, f *failure) {
	budget := s.withBudget(ctx)
	defer budget.End()
	s.refund(budget, o, quota, f.refund...)
}

func (s *Service) refund(ctx context.Context, o *order, quota *throttle.Reservation, kinds ...throttle.Kind) {
	if err := quota.Refund(ctx, kinds...); err != nil {
		s.failed(ctx, o, stepRefund, err)
	}
}
