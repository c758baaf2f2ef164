package sms

import (
	"context"
	"time"

	"smsd/internal/address"
	"smsd/internal/phone"
	"smsd/internal/records"
	"smsd/internal/requestid"
	"smsd/internal/throttle"
)

// SendRequest asks for a code.
type SendRequest struct {
	App    string // "": DefaultApp
	Phone  string // as written by a person
	Scene  string
	Region string // ISO 3166, for a national number; may be empty
	Locale string // BCP 47; may be empty
	// Languages are those that the client takes, as its header Accept-Language says (RFC 9110, section 12.5.4), for a request
	// without Locale. May be empty, of any length and nonsense.
	Languages string
	DeviceID  string // may be empty
	Client    address.Addr
	// Before is called once the message is charged and its code stored, before a gateway is asked; for a test number,
	// which is neither charged nor asked for, once its code is stored. Its error undoes the charge and the code
	// as a failed gateway would, and is returned. It bounds itself. May be nil.
	Before Before
}

// Before is called with the sms_id before something is done that can't be undone. Its error should unwrap to
// [ErrUnavailable] or [ErrRepeated].
type Before func(ctx context.Context, smsID string) error

// call calls it, if there is one.
func (b Before) call(ctx context.Context, smsID string) error {
	if b == nil {
		return nil
	}
	return b(ctx, smsID)
}

// Delivery is what is known of a message after a send.
type Delivery string

// The two deliveries of a send that did not fail.
const (
	DeliveryAccepted Delivery = records.DeliveryAccepted
	DeliveryUnknown  Delivery = "unknown" // the gateway may or may not have taken it
)

// Sent is a send's or a resend's answer.
type Sent struct {
	SMSID      string
	Scene      string
	Phone      phone.Number
	CodeLength int
	Attempts   int           // left
	ExpiresIn  time.Duration // whole seconds
	ExpiresAt  time.Time     // UTC
	ResendIn   time.Duration // until the limits would let another message pass; whole seconds, rounded up
	Delivery   Delivery
	quota      *throttle.Reservation // nil: nothing was charged
}

// Send validates, throttles, stores a code and hands the message on. A client that hangs up changes
// nothing: what was begun is finished.
func (s *Service) Send(ctx context.Context, r SendRequest) (Sent, error) {
	o := &order{app: appOf(r.App), client: r.Client, before: r.Before, request: requestid.From(ctx)}
	ctx = context.WithoutCancel(ctx)
	sent, err := s.send(ctx, r, o)
	s.reportSend(ctx, "send", o, sent, err)
	return sent, err
}

// send is the one place that knows the order of things. Up to the reservation nothing costs I/O.
func (s *Service) send(ctx context.Context, r SendRequest, o *order) (Sent, error) {
	asked, err := s.enter(o, o.read(r, s.terms(o.app)))
	if err != nil {
		return Sent{}, err
	}
	if err := o.admit(s.now()); err != nil {
		return Sent{}, err
	}
	if err := s.recordable(); err != nil {
		return Sent{}, err
	}
	o.id = NewID()
	budget := s.withBudget(ctx)
	defer budget.End()
	if test, listed := o.policy.testNumber(o.number, s.now()); listed {
		return s.sendTest(budget, o, test)
	}
	d, err := s.draw(o)
	if err != nil {
		return Sent{}, err
	}
	asked.Carry(d.put)
	quota, err := s.reserve(budget, o, asked)
	if err != nil {
		return Sent{}, err
	}
	return s.sendCharged(ctx, budget, o, d, quota)
}

// sendCharged does what comes after the reservation; from here on every failure has something to undo.
func (s *Service) sendCharged(ctx, budget context.Context, o *order, d draft, quota *throttle.Reservation) (Sent, error) {
	life, err := s.stored(budget, d, quota)
	if err != nil {
		s.refundBriefly(ctx, budget, o, quota)
		return Sent{}, err
	}
	if err := o.before.call(ctx, o.id); err != nil {
		s.undoSend(ctx, o, quota, &failure{})
		return Sent{}, err
	}
	row := s.openRow(o, life)
	delivery, failure := s.deliver(ctx, o, d.code, o.scene.TTL)
	if failure != nil {
		s.failedRow(o, failure)
		s.undoSend(ctx, o, quota, failure)
		return Sent{}, failure.err
	}
	life = s.extend(ctx, o, life)
	s.sentRow(o, life, delivery)
	if err := row.wait(ctx); err != nil {
		return Sent{}, &DoubtError{err}
	}
	return o.answer(quota, life, delivery), nil
}

// answer tells what was sent. Without quota there are no limits to tell of.
func (o *order) answer(quota *throttle.Reservation, l life, delivery Delivery) Sent {
	sent := Sent{
		SMSID: o.id, Scene: o.scene.Name, Phone: o.number, CodeLength: o.scene.CodeLength, Attempts: o.scene.Attempts,
		ExpiresIn: l.expiresIn(o.scene.TTL), ExpiresAt: l.expires, Delivery: delivery,
	}
	sent.limits(quota)
	return sent
}
