package sms

import (
	"context"
	"errors"

	"smsd/internal/throttle"
)

// enter passes the layers in front of the store: the block and the deny cache, which take nothing of an address that
// asks again what was refused a moment ago, then the local limiters, which bound the trips to the store and what is malformed.
// Who refuses tells the longest wait of all, as far as it is known here, or it would not be true.
func (s *Service) enter(o *order, malformed error) (*throttle.Prepared, error) {
	if malformed != nil {
		if err := s.local.Allow(throttle.Send, o.client); err != nil {
			return nil, err
		}
		return nil, malformed
	}
	quota, err := s.limiter.Prepare(o.charge())
	if err != nil {
		return nil, err
	}
	if err := quota.Denied(); err != nil {
		return nil, longer(err, s.local.Ask(throttle.Send, o.client))
	}
	if err := s.local.Allow(throttle.Send, o.client); err != nil {
		return nil, longer(err, quota.Known())
	}
	return quota, nil
}

// charge is what a message costs.
func (o *order) charge() throttle.Request {
	return throttle.Request{
		Rules: o.policy.Rules, Event: throttle.Send, Scene: o.scene.Name, Subjects: o.subjects(), Block: o.policy.LocalBlock,
	}
}

// asker is all that a resend's request tells of what its message will cost.
func (o *order) asker() throttle.Request {
	subjects := append(o.clientSubjects(), throttle.Subject{Kind: throttle.Device, ID: o.device})
	return throttle.Request{Rules: o.policy.Rules, Event: throttle.Send, Subjects: subjects, Block: o.policy.LocalBlock}
}

// resendName is what a resend's refusal is known by before its number is.
func (o *order) resendName() [4]string {
	return [4]string{o.id, o.app, o.device, o.client.Host()}
}

// reserve takes quota for one message, or says who refused. The address's token is spent either way: a refusal of
// the store costs the same trip, and who asks for one number after another must not have them for nothing.
func (s *Service) reserve(ctx context.Context, o *order, quota *throttle.Prepared) (*throttle.Reservation, error) {
	name := o.resendName()
	quota.As(name[:]...)
	taken, err := quota.Reserve(ctx)
	if err != nil {
		return nil, longer(err, s.local.Ask(throttle.Send, o.client))
	}
	return taken, nil
}

// longer returns the refusal with the longer wait; err, if one of both is none.
func longer(err, other error) error {
	a, refused := errors.AsType[*throttle.Denied](err)
	b, too := errors.AsType[*throttle.Denied](other)
	if refused && too && b.RetryAfter > a.RetryAfter {
		return other
	}
	return err
}

// reserveVerify takes quota for one verify, of the client alone: a stranger can't use up what a
// number's owner needs. The errand goes along, if there is one.
func (s *Service) reserveVerify(ctx context.Context, a *attempt, errand *VerifyErrand) (*throttle.Reservation, error) {
	quota, err := s.limiter.Prepare(a.verifyCharge())
	if err != nil {
		return nil, err
	}
	if errand != nil {
		quota.Carry(errand)
	}
	taken, err := quota.Reserve(ctx)
	if err != nil {
		return nil, longer(err, s.local.Ask(throttle.Verify, a.client))
	}
	return taken, nil
}

// verifyCharge is what a verify costs.
func (a *attempt) verifyCharge() throttle.Request {
	return throttle.Request{Rules: a.policy.Rules, Event: throttle.Verify, Scene: a.ruledBy(), Subjects: a.clientSubjects()}
}

// knownVerify is the wait that the client's verifies were told before: of rules by scene, that of the scene in the request, since
// nobody has looked yet whose the verification is.
func (s *Service) knownVerify(a *attempt) error {
	quota, err := s.limiter.Prepare(a.verifyCharge())
	if err != nil {
		return nil // a policy without scenes
	}
	return quota.Known()
}

// chargeGuess counts a wrong code against whoever it was for. Where that fails, the answer stays.
func (s *Service) chargeGuess(ctx, budget context.Context, o *order) {
	if o.scene == nil {
		return // the policy does not know the scene any more, so no rule counts it
	}
	rest := s.withRest(ctx, budget)
	defer rest.End()
	err := s.limiter.Charge(rest, throttle.Request{
		Rules: o.policy.Rules, Event: throttle.Guess, Scene: o.scene.Name, Subjects: o.subjects(),
	})
	if err != nil {
		s.failed(rest, o, stepGuess, err)
	}
}
