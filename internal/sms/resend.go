package sms

import (
	"context"
	"fmt"
	"strings"
	"time"

	"smsd/internal/address"
	"smsd/internal/requestid"
	"smsd/internal/secret"
	"smsd/internal/throttle"
)

// ResendRequest asks for the message again.
type ResendRequest struct {
	App      string // "": DefaultApp
	SMSID    string
	DeviceID string
	Client   address.Addr
	// Before is called once the message is charged, before a gateway is asked; for a test number, before the answer.
	// Its error undoes the charge as a failed gateway would, and is returned. It bounds itself. May be nil.
	Before Before
}

// Resend sends the same code again, or a fresh one where the scene rotates. One that fails leaves what
// was there untouched.
func (s *Service) Resend(ctx context.Context, r ResendRequest) (Sent, error) {
	o := &order{app: appOf(r.App), client: r.Client, before: r.Before, request: requestid.From(ctx)}
	ctx = context.WithoutCancel(ctx)
	sent, err := s.resend(ctx, r, o)
	s.reportSend(ctx, "resend", o, sent, err)
	return sent, err
}

func (s *Service) resend(ctx context.Context, r ResendRequest, o *order) (Sent, error) {
	if err := s.enterAgain(o, o.recall(r, s.terms(o.app))); err != nil {
		return Sent{}, err
	}
	budget := s.withBudget(ctx)
	defer budget.End()
	old, err := s.lookUp(budget, o)
	if err != nil {
		return Sent{}, err
	}
	if err := o.admit(s.now()); err != nil {
		return Sent{}, err
	}
	if err := s.recordable(); err != nil {
		return Sent{}, err
	}
	if _, listed := o.policy.testNumber(o.number, s.now()); listed {
		if err := s.announceTest(ctx, o); err != nil {
			return Sent{}, err
		}
		return o.repeated(old, s.now(), nil, DeliveryAccepted), nil
	}
	asked, err := s.limiter.Prepare(o.charge())
	if err != nil {
		return Sent{}, err
	}
	quota, err := s.reserve(budget, o, asked)
	if err != nil {
		return Sent{}, err
	}
	return s.resendCharged(ctx, o, old, quota)
}

// enterAgain passes the block and the local limiters. Whose number it is only the store knows, so the deny cache comes
// after it.
func (s *Service) enterAgain(o *order, malformed error) error {
	if malformed != nil {
		if err := s.local.Allow(throttle.Send, o.client); err != nil {
			return err
		}
		return malformed
	}
	if err := s.limiter.Blocked(o.asker()); err != nil {
		return longer(longer(err, s.knownAgain(o)), s.local.Ask(throttle.Send, o.client))
	}
	if err := s.local.Allow(throttle.Send, o.client); err != nil {
		return longer(err, s.knownAgain(o))
	}
	return nil
}

// knownAgain is the wait that was told to the same resend before.
func (s *Service) knownAgain(o *order) error {
	name := o.resendName()
	return s.limiter.Known(o.policy.Rules, name[:]...)
}

// recall fills in what the request alone tells.
func (o *order) recall(r ResendRequest, p *terms) error {
	o.policy, o.device = p, strings.TrimSpace(r.DeviceID)
	if !isPlain(r.DeviceID, MaxDeviceID) {
		return invalid("/device_id")
	}
	id, err := canonicalID(r.SMSID)
	if err != nil {
		return err
	}
	o.id = id
	return nil
}

// resendCharged does what comes after the reservation.
func (s *Service) resendCharged(ctx context.Context, o *order, old live, quota *throttle.Reservation) (Sent, error) {
	code, err := s.codeAgain(o, old)
	if err != nil {
		s.undoResend(ctx, o, quota, &failure{})
		return Sent{}, err
	}
	if err := o.before.call(ctx, o.id); err != nil {
		s.undoResend(ctx, o, quota, &failure{})
		return Sent{}, err
	}
	delivery, failure := s.deliver(ctx, o, code, old.remaining(s.now()))
	if failure != nil {
		s.undoResend(ctx, o, quota, failure)
		return Sent{}, failure.err
	}
	row := s.resentRow(o, delivery)
	if o.scene.Rotate {
		if err := s.replace(ctx, o, code); err != nil {
			return Sent{}, &DoubtError{err}
		}
	}
	if err := row.wait(ctx); err != nil {
		return Sent{}, &DoubtError{err}
	}
	return o.repeated(old, s.now(), quota, delivery), nil
}

// codeAgain is the code that the message repeats, or a fresh one as long as the old.
func (s *Service) codeAgain(o *order, old live) (secret.Text, error) {
	if o.scene.Rotate {
		return drawCode(s.random, old.record.Length)
	}
	return old.letter.Code, nil
}

// replace puts code in the place of the old one. If a verify was quicker, that is what the client hears.
func (s *Service) replace(ctx context.Context, o *order, code secret.Text) error {
	budget := s.withBudget(ctx)
	defer budget.End()
	sealed, err := s.keys.seal(o.id, o.letter(code))
	if err != nil {
		return err
	}
	err = s.codes.Amend(budget, o.id, Amendment{Code: s.keys.codeHash(o.id, code), Sealed: sealed})
	if err != nil {
		return fmt.Errorf("replace the code: %w", err)
	}
	return nil
}

// repeated tells what was sent again; end and attempts are what they were.
func (o *order) repeated(old live, now time.Time, quota *throttle.Reservation, delivery Delivery) Sent {
	sent := Sent{
		SMSID: o.id, Scene: o.scene.Name, Phone: o.number,
		CodeLength: old.record.Length, Attempts: old.record.AttemptsLeft,
		ExpiresIn: max(0, old.remaining(now)).Truncate(time.Second), ExpiresAt: old.record.ExpiresAt,
		Delivery: delivery,
	}
	sent.limits(quota)
	return sent
}
