package sms

import (
	"context"
	"errors"
	"fmt"
	"time"

	"smsd/internal/address"
	"smsd/internal/phone"
	"smsd/internal/proof"
	"smsd/internal/records"
	"smsd/internal/requestid"
	"smsd/internal/secret"
	"smsd/internal/throttle"
)

// VerifyRequest submits a code.
type VerifyRequest struct {
	App    string // "": DefaultApp
	SMSID  string
	Code   string // as typed by a person
	Scene  string // "": any
	Phone  string // as written by a person; "": any
	Nonce  string // what the token shall hold, printable ASCII of at most proof.MaxNonce bytes; "": nothing
	Client address.Addr
	// Before is called when the code is right, as far as a look can tell, before it is used up. Its error ends the verify
	// with the code as it was, and is returned. It bounds itself. May be nil.
	Before Before
	// Mark is left on the verification by the verify that uses its code up: [Service.RecallVerified] asks for it. Zero: none.
	Mark Hash
}

// Verified is the answer to a right code.
type Verified struct {
	SMSID      string
	Scene      string
	Phone      phone.Number
	VerifiedAt time.Time // UTC, the store's clock
	// Token proves it to a backend; zero where none is made, or none could be.
	Token secret.Text
}

// Verify compares, counts and consumes. Besides the ends of a verification it returns an
// [*IncorrectError] for a wrong code, scene or phone, and a [*FieldError] or [*phone.Error] for what
// can be none, which costs no attempt.
func (s *Service) Verify(ctx context.Context, r VerifyRequest) (Verified, error) {
	o := order{app: appOf(r.App), client: r.Client, before: r.Before, request: requestid.From(ctx)}
	a := &attempt{order: o, mark: r.Mark}
	ctx = context.WithoutCancel(ctx)
	verified, err := s.verify(ctx, r, a)
	s.reportVerify(ctx, a, err)
	return verified, err
}

// attempt is one verify. Its order is filled in as the verification gets known: who a wrong code
// counts against.
type attempt struct {
	order
	code  secret.Text
	asked string // the scene in the request; "": any
	phone string // the number in the request; "": any
	nonce string // the nonce in the request; "": none
	gone  bool   // known not to be there
	mark  Hash
	known Record // as it was before the guess, where that was looked at
}

func (s *Service) verify(ctx context.Context, r VerifyRequest, a *attempt) (Verified, error) {
	if err := s.local.Allow(throttle.Verify, r.Client); err != nil {
		a.policy, a.asked = s.terms(a.app), r.Scene
		return Verified{}, longer(err, s.knownVerify(a))
	}
	if err := a.read(r, s.terms(a.app)); err != nil {
		return Verified{}, err
	}
	budget := s.withBudget(ctx)
	defer budget.End()
	guess, err := s.guess(budget, a)
	if err != nil {
		return Verified{}, err
	}
	errand := a.errand(guess)
	quota, err := s.reserveVerify(budget, a, errand)
	if err != nil {
		return Verified{}, errand.doubt(err)
	}
	return s.verifyCharged(ctx, budget, a, guess, errand, quota)
}

// errand is the guess where nothing has to come between its charge and its comparison; else nil.
func (a *attempt) errand(g Guess) *VerifyErrand {
	if a.gone || a.before != nil {
		return nil
	}
	return &VerifyErrand{ID: a.id, Guess: g}
}

// doubt is the error of the charge with which e went: where nobody can tell whether that was made, the code may be used up.
func (e *VerifyErrand) doubt(err error) error {
	if e != nil && errors.Is(err, ErrUnavailable) {
		return &DoubtError{err}
	}
	return err
}

// verifyCharged does what comes after the reservation.
func (s *Service) verifyCharged(ctx, budget context.Context, a *attempt, g Guess, errand *VerifyErrand, quota *throttle.Reservation) (Verified, error) {
	if a.gone {
		return Verified{}, ErrNotFound
	}
	if err := s.announce(ctx, a, g); err != nil {
		s.refundBriefly(ctx, budget, &a.order, quota)
		return Verified{}, err
	}
	if quota.ErrandDone() {
		return s.settle(ctx, budget, a, quota, errand.Record, errand.Err)
	}
	record, err := s.codes.Verify(budget, a.id, g)
	return s.settle(ctx, budget, a, quota, record, err)
}

// announce calls before, if there is one and the guess is right as far as a look can tell: so whoever guesses makes
// nobody write down what then comes to nothing.
func (s *Service) announce(ctx context.Context, a *attempt, g Guess) error {
	if a.before == nil || a.known.State() != nil || !g.fits(a.known) {
		return nil
	}
	return a.before(ctx, a.id)
}

// read checks what can be checked without I/O.
func (a *attempt) read(r VerifyRequest, p *terms) error {
	a.policy, a.asked, a.phone, a.nonce = p, r.Scene, r.Phone, r.Nonce
	code, err := readCode(r.Code)
	if err != nil {
		return err
	}
	if !isPlain(r.Scene, throttle.MaxName) {
		return invalid("/scene")
	}
	if !isPrintable(r.Nonce, proof.MaxNonce) {
		return invalid("/nonce")
	}
	a.code = code
	a.id, err = canonicalID(r.SMSID)
	return err
}

// settle is what follows from the store's word.
func (s *Service) settle(ctx, budget context.Context, a *attempt, quota *throttle.Reservation, r Record, err error) (Verified, error) {
	opened := s.learn(a, r)
	var wrong *IncorrectError
	switch {
	case err == nil && opened != nil:
		return Verified{}, &DoubtError{fmt.Errorf("verified, but whom: %w", opened)}
	case errors.Is(err, ErrUnavailable):
		return Verified{}, &DoubtError{err}
	case err == nil:
		s.verifiedRow(ctx, budget, &a.order, r.Now)
		return Verified{SMSID: a.id, Scene: r.Scene, Phone: a.number, VerifiedAt: r.Now, Token: s.prove(ctx, &a.order, r, a.nonce)}, nil
	case errors.Is(err, ErrCodeFormat):
		s.refundBriefly(ctx, budget, &a.order, quota)
		return Verified{}, invalid("/code")
	case errors.As(err, &wrong) && opened != nil:
		s.failed(ctx, &a.order, stepGuess, opened)
	case errors.As(err, &wrong):
		s.chargeGuess(ctx, budget, &a.order)
	}
	if wrong != nil && wrong.AttemptsLeft == 0 {
		s.changeRow(&a.order, time.Time{}, records.Fate{ExpiredAt: r.Now})
	}
	return Verified{}, err
}

// learn fills in the order from a record, if there is one.
func (s *Service) learn(a *attempt, r Record) error {
	if r.App == "" {
		return nil
	}
	a.scene = a.policy.Scenes[r.Scene]
	l, err := s.keys.open(a.id, r.Sealed)
	if err != nil {
		return err
	}
	a.number, a.region = l.Phone, l.Region
	return nil
}

// prove makes the token. The code is used up, and so a token that can't be made costs the verify nothing.
func (s *Service) prove(ctx context.Context, o *order, r Record, nonce string) secret.Text {
	if s.sign == nil {
		return secret.Text{}
	}
	token, err := s.sign(proof.Verification{SMSID: o.id, App: r.App, Scene: r.Scene, Phone: o.number, Nonce: nonce})
	if err != nil {
		s.failed(ctx, o, stepToken, err)
		return secret.Text{}
	}
	return token
}
