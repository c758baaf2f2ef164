package throttle

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Limiter answers whether events may happen. Safe for concurrent use.
type Limiter struct{}

// Options are what [New] needs.
type Options struct {
	Store Store
	// IndexSecret keys the hashes of subjects, 32 bytes or more. Another one is another set of counters.
	IndexSecret []byte
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
}

// New returns a Limiter over o.Store.
func New(o Options) (*Limiter, error) { panic("unbuilt") }

// Request is one event and everyone it is counted under.
type Request struct {
	// Rules are one policy version's; the whole decision is made by them.
	Rules *RuleSet
	Event Event
	// Scene must be one that Rules were compiled for.
	Scene    string
	Subjects []Subject
}

// Reserve asks every rule that applies and, if all of them allow, charges all of them, in one step.
// Otherwise it returns a [*Denied] with the longest wait, and nothing is charged; or an error that
// unwraps to [ErrUnavailable]. The caller bounds ctx; a caller that may hang up passes
// context.WithoutCancel and its own time-out.
func (l *Limiter) Reserve(ctx context.Context, r Request) (*Reservation, error) { panic("unbuilt") }

// Charge counts an event that has happened already (a [Guess]) without asking.
func (l *Limiter) Charge(ctx context.Context, r Request) error { panic("unbuilt") }

// Inspect returns the state of every rule that applies. It changes nothing.
func (l *Limiter) Inspect(ctx context.Context, r Request) ([]Usage, error) { panic("unbuilt") }

// Reset empties every counter whose key is tagged by one of the subjects: for a Phone, its own,
// those with its scenes, and those of it with any network.
func (l *Limiter) Reset(ctx context.Context, subjects ...Subject) error { panic("unbuilt") }

// Reservation is quota taken but still returnable. Safe for concurrent use.
type Reservation struct{}

// Refund gives back what was taken: everything, or, with kinds, what is counted by any of them
// (with Phone: phone, phone and scene, phone and network, but not the address alone). More than once
// equals once.
func (r *Reservation) Refund(ctx context.Context, kinds ...Kind) error { panic("unbuilt") }

// Usages returns the state of each rule after the charge, shadow ones too.
func (r *Reservation) Usages() []Usage { panic("unbuilt") }

// Wait returns how long until one more such event could pass every enforced rule; 0: now.
func (r *Reservation) Wait() time.Duration { panic("unbuilt") }
