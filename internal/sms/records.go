package sms

import (
	"context"
	"errors"
	"fmt"
	"time"

	"smsd/internal/records"
	"smsd/internal/throttle"
)

// testGateway stands in records for the gateway of a message to a test number, which none takes.
const testGateway = "test"

// recordable says whether what is sent now could be written down. It is asked before anything is charged.
func (s *Service) recordable() error {
	if s.records == nil {
		return nil
	}
	return unrecorded(s.records.Ready())
}

// unrecorded is the error of a request whose row can't be kept.
func unrecorded(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// row is the row of a request on its way to disk; nil: none is kept.
type row struct{ pending *records.Pending }

// wait returns nil when the row is on disk. What was answered with success is never lost.
func (r *row) wait(ctx context.Context) error {
	if r == nil {
		return nil
	}
	return unrecorded(r.pending.Wait(ctx))
}

// openRow begins the row of a send, before it is known what becomes of the message: so neither waits for the other.
func (s *Service) openRow(o *order, l life) *row {
	if s.records == nil {
		return nil
	}
	pending := s.records.Accept(records.NewVerification{
		SMSID: o.id, App: o.app, Scene: o.scene.Name, RequestID: o.request, Phone: o.number, Client: o.client,
		Device: o.device, PolicyVersion: o.policy.Version, CreatedAt: l.created, ExpiresAt: l.expires,
	})
	o.whom = pending.Whom()
	return &row{pending}
}

// changeRow adds to the row of a verification.
func (s *Service) changeRow(o *order, expires time.Time, f records.Fate) *row {
	if s.records == nil {
		return nil
	}
	return &row{s.records.Change(records.Change{SMSID: o.id, ExpiresAt: expires, Fate: f})}
}

// sentRow adds who took the message, and when its code will now end.
func (s *Service) sentRow(o *order, l life, delivery Delivery) {
	s.changeRow(o, l.expires, o.sent(delivery))
}

// failedRow adds why the message did not leave.
func (s *Service) failedRow(o *order, f *failure) {
	s.changeRow(o, time.Time{}, records.Fate{FailedAt: s.now(), Failure: string(f.reason), FailureCode: f.code})
}

// resentRow adds one more message.
func (s *Service) resentRow(o *order, delivery Delivery) *row {
	more := o.sent(delivery)
	more.Resends, more.ResentAt = 1, s.now()
	return s.changeRow(o, time.Time{}, more)
}

// verifiedRow adds that the right code came, and waits for that to be on disk as long as the answer may: the code is
// used up, so nothing changes the answer any more.
func (s *Service) verifiedRow(ctx, budget context.Context, o *order, at time.Time) {
	row := s.changeRow(o, time.Time{}, records.Fate{VerifiedAt: at})
	if row == nil {
		return
	}
	rest := s.withRest(ctx, budget)
	defer rest.End()
	if err := row.wait(rest); err != nil {
		s.failed(rest, o, stepRecord, err)
	}
}

// decide tells the decision log of a request that has ended.
func (s *Service) decide(action string, o *order, end outcome, told decided) {
	if s.records == nil {
		return
	}
	a := records.Attempt{
		At: s.now(), RequestID: o.request, App: o.app, Action: action, Scene: o.label(), Outcome: end.label, SMSID: o.id,
		Phone: o.number, Client: o.client, Device: o.device, Whom: o.whom, Rule: told.Rule, Used: told.Used, Limit: told.Limit,
		Shadow: told.shadow, Gateway: o.gateway, AtWill: end.sampled,
	}
	if o.policy != nil {
		a.PolicyVersion = o.policy.Version
	}
	s.records.Decide(a)
}

// decided is what the throttle said of a request: the zero Decision where it did not refuse. Of what is on the block list its rule
// is the entry.
type decided struct {
	throttle.Decision
	shadow []string
}

// decided is what was said of a send, or of one that failed with err.
func (sent Sent) decided(err error) decided {
	if err != nil || sent.quota == nil {
		return refusedBy(err)
	}
	return decided{shadow: sent.quota.Shadowed()}
}

// refusedBy is what a request's error tells of who refused.
func refusedBy(err error) decided {
	if blocked, ok := errors.AsType[*blockedError](err); ok {
		return decided{Decision: throttle.Decision{Rule: blocked.by.Place}}
	}
	denied, refused := errors.AsType[*throttle.Denied](err)
	if !refused {
		return decided{}
	}
	return decided{denied.Decision, denied.Shadow}
}
