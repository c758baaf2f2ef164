package throttle

import (
	"context"
	"errors"
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
)

// MinSecret is the shortest index secret, in bytes.
const MinSecret = 32

// Limiter answers whether events may happen. Safe for concurrent use.
type Limiter struct {
	store   Store
	hasher  *hasher
	metrics *metrics
}

// Options are what [New] needs.
type Options struct {
	Store Store
	// IndexSecret keys the hashes of subjects, MinSecret bytes or more. Another one is another set of counters.
	IndexSecret []byte
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
}

// New returns a Limiter over o.Store.
func New(o Options) (*Limiter, error) {
	if o.Store == nil {
		return nil, errors.New("throttle: no store")
	}
	if len(o.IndexSecret) < MinSecret {
		return nil, fmt.Errorf("throttle: index secret of %d bytes: must be at least %d", len(o.IndexSecret), MinSecret)
	}
	m, err := newMetrics(o.Registerer)
	if err != nil {
		return nil, err
	}
	return &Limiter{store: o.Store, hasher: newHasher(o.IndexSecret), metrics: m}, nil
}

// Reserve asks every rule that applies and, if all of them allow, charges all of them, in one step.
// Otherwise it returns a [*Denied] with the longest wait, and nothing is charged; or an error that
// unwraps to [ErrUnavailable]. The caller bounds ctx; a caller that may hang up passes
// context.WithoutCancel and its own time-out.
func (l *Limiter) Reserve(ctx context.Context, r Request) (*Reservation, error) {
	a, err := l.ask(r)
	if err != nil {
		return nil, err
	}
	taken, err := l.take(ctx, a)
	if err != nil {
		return nil, err
	}
	l.metrics.decided(a.groups, taken)
	if !taken.Allowed {
		return nil, &Denied{refusal(a.groups, taken.Verdicts)}
	}
	return &Reservation{limiter: l, asked: a, taken: taken, returned: make([]bool, len(a.groups))}, nil
}

// take calls the store, unless no rule applies: then everything is allowed.
func (l *Limiter) take(ctx context.Context, a asked) (Taken, error) {
	if len(a.groups) == 0 {
		return Taken{Allowed: true}, nil
	}
	taken, err := l.store.Take(ctx, a.take)
	if err != nil {
		l.metrics.failed("take")
	}
	return taken, err
}

func (l *Limiter) refund(ctx context.Context, r Refund) error {
	err := l.store.Refund(ctx, r)
	if err != nil {
		l.metrics.failed("refund")
	}
	return err
}

// Charge counts an event that has happened already (a [Guess]) without asking.
func (l *Limiter) Charge(ctx context.Context, r Request) error {
	a, err := l.ask(r)
	if err != nil {
		return err
	}
	a.take.Force = true
	_, err = l.take(ctx, a)
	return err
}

// Inspect returns the state of every rule that applies. It changes nothing.
func (l *Limiter) Inspect(ctx context.Context, r Request) ([]Usage, error) {
	a, err := l.ask(r)
	if err != nil || len(a.groups) == 0 {
		return nil, err
	}
	taken, err := l.store.Peek(ctx, a.take)
	if err != nil {
		l.metrics.failed("peek")
		return nil, err
	}
	return usages(a.groups, taken.Verdicts), nil
}

// Reset empties every counter whose key is tagged by one of the subjects: for a Phone, its own,
// those with its scenes, and those of it with any network. An App says whose subjects the others
// are; an IP tags nothing, its IPNet does.
func (l *Limiter) Reset(ctx context.Context, subjects ...Subject) error {
	k := newKeyer(l.hasher, subjects)
	var tags []Tag
	for _, kind := range tagOrder {
		if kind != App && k.ids[kind] != "" {
			tags = append(tags, k.tag(kind))
		}
	}
	if len(tags) == 0 {
		return fmt.Errorf("throttle: no subject that tags a counter among %v", subjects)
	}
	err := l.store.Reset(ctx, tags...)
	if err != nil {
		l.metrics.failed("reset")
	}
	return err
}
