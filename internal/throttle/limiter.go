package throttle

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// MinSecret is the shortest index secret, in bytes.
const MinSecret = 32

// Limiter answers whether events may happen. Safe for concurrent use.
type Limiter struct {
	store   Store
	hasher  *hasher
	metrics *metrics
	deny    *denyCache  // nil: none
	blocks  *blockTable // nil: none
}

// Options are what [New] needs.
type Options struct {
	Store Store
	// IndexSecret keys the hashes of subjects, MinSecret bytes or more. Another one is another set of counters.
	IndexSecret []byte
	// DenyClock is the clock of the deny cache and of the blocks; where a test moves the store's clock, it is that one.
	// Nil: there are neither.
	DenyClock func() time.Time
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
	deny := newDenyCache(o.DenyClock)
	l := &Limiter{
		store: o.Store, hasher: newHasher(o.IndexSecret), metrics: m, deny: deny, blocks: newBlockTable(deny),
	}
	l.hear()
	return l, nil
}

// Reserve asks every rule that applies and, if all of them allow, charges all of them, in one step.
// Otherwise it returns a [*Denied] with the longest wait, and nothing is charged; or an error that
// unwraps to [ErrUnavailable]. The caller bounds ctx; a caller that may hang up passes
// context.WithoutCancel and its own time-out.
func (l *Limiter) Reserve(ctx context.Context, r Request) (*Reservation, error) {
	p, err := l.Prepare(r)
	if err != nil {
		return nil, err
	}
	return p.Reserve(ctx)
}

// take calls the store, unless no rule applies: then everything is allowed. The deny cache learns what it says.
func (l *Limiter) take(ctx context.Context, a *asked) (Taken, error) {
	if len(a.groups) == 0 {
		return Taken{Allowed: true}, nil
	}
	var room [fewGroups]generation
	since := l.deny.generations(room[:0], a)
	taken, err := l.store.Take(ctx, a.take)
	if err != nil {
		l.metrics.failed("take")
		return taken, err
	}
	l.deny.learn(a, since, taken)
	if !taken.Allowed && l.blocks != nil {
		l.blocks.count(a, a.blames(since, taken))
	}
	return taken, nil
}

func (l *Limiter) refund(ctx context.Context, r Refund) error {
	err := l.store.Refund(ctx, r)
	for _, g := range r.Groups { // in doubt too
		l.Forget(g.Key.Tag)
	}
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
	_, err = l.take(ctx, &a)
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
	l.Forget(tags...) // in doubt too
	if err != nil {
		l.metrics.failed("reset")
	}
	return err
}

// Forget drops what this process remembers of refusals that rest on one of the tags, blocks too; without tags, all
// that it remembers. The next request reaches the store.
func (l *Limiter) Forget(tags ...Tag) {
	switch {
	case l.deny == nil:
	case len(tags) == 0:
		l.deny.forgetAll()
	default:
		l.deny.forget(tags...)
	}
}
