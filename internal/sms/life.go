package sms

import (
	"context"
	"time"
)

// keep is how long after its end a verification is told apart from one that never was.
const keep = 10 * time.Minute

// slack is how much time a gateway may take before the end of a code is moved. A code lives from its
// acceptance, but is stored before: with a gateway that is as quick as this, moving its end would cost
// a trip to the store to correct less than what the answer's way to the client takes.
const slack = 50 * time.Millisecond

// life is how long a code is good, by two clocks: the store's, which decides, and this process's, which
// knows how long the gateway took.
type life struct {
	started  time.Time // here, just before created
	accepted time.Time // here, when the gateway had answered
	created  time.Time // by the store
	expires  time.Time // by the store; what it will go by
}

// extend moves a code's end so that it counts from acceptance. Where that fails, the end that is
// stored stands, and is what the answer will tell.
func (s *Service) extend(ctx context.Context, o *order, l life) life {
	l.accepted = s.now()
	took := l.took()
	if took <= slack {
		l.accepted = l.started
		return l
	}
	budget := s.withBudget(ctx)
	defer budget.End()
	lives := took + o.scene.TTL
	if err := s.codes.Amend(budget, o.id, Amendment{ExpiresIn: lives}); err != nil {
		s.failed(budget, o, stepExtend, err)
		l.accepted = s.now() // the store has taken some of what is left
		return l
	}
	l.expires = l.created.Add(lives)
	return l
}

// took is how long it was from the code's creation to its acceptance, in whole milliseconds, rounded up.
func (l life) took() time.Duration {
	return roundUp(l.accepted.Sub(l.started), time.Millisecond)
}

// expiresIn is what remained at acceptance, in whole seconds.
func (l life) expiresIn(ttl time.Duration) time.Duration {
	left := l.expires.Sub(l.created) - l.took()
	return min(ttl, max(0, left)).Truncate(time.Second)
}

// roundUp returns the smallest multiple of unit that is at least d; 0 for what is below.
func roundUp(d, unit time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return (d + unit - 1).Truncate(unit)
}
