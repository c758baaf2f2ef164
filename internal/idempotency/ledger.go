package idempotency

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/keyring"
)

// purpose is what both keys are derived for.
const purpose = "smsd idempotency v1"

const (
	// defaultBudget bounds each call of the store. A commit takes milliseconds; what takes longer is a store in trouble,
	// and a client that waits for it.
	defaultBudget = 250 * time.Millisecond
	// maxLooks bounds the look-ups at once: more than a database answers in parallel, and few enough that those who
	// wait are served within the budget.
	maxLooks = 64
	// defaultLinger is how long a request that was refused waits for a twin on another instance that was charged a moment
	// before and is about to begin, and lookGap how long between two looks for it.
	defaultLinger = 100 * time.Millisecond
	lookGap       = 100 * time.Millisecond
)

// Ledger knows what was asked under which key. Safe for concurrent use. Only [New] makes one that works.
type Ledger struct {
	store   Store
	hashes  *keyring.Ring
	seals   *keyring.Ring
	now     func() time.Time
	logger  *slog.Logger
	metrics *metrics
	running *running
	looks   chan struct{}
	pause   func(time.Duration)
	budget  time.Duration
	linger  time.Duration
}

// Options are what [New] needs.
type Options struct {
	Store Store
	// IndexSecret keys the hashes, [keyring.MinSecret] bytes or more. It must not rotate: two instances with
	// different ones would execute one request twice.
	IndexSecret []byte
	// Secrets seal the answers.
	Secrets *keyring.Root
	// Budget bounds each call of the store; 0: 250 ms.
	Budget time.Duration
	// Linger is how long a request that was refused waits for a twin on another instance to begin; 0: 100 ms.
	Linger time.Duration
	// Now is the clock of entries; nil: time.Now. Instances' clocks may differ by a few seconds.
	Now func() time.Time
	// Logger; nil: nothing is logged.
	Logger *slog.Logger
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
}

// New returns a Ledger over o.Store.
func New(o Options) (*Ledger, error) {
	if o.Store == nil || o.Secrets == nil {
		return nil, errors.New("idempotency: Store and Secrets are required")
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	l := &Ledger{
		store: o.Store, now: o.Now, logger: o.Logger, running: newRunning(), looks: make(chan struct{}, maxLooks),
		pause: time.Sleep, budget: cmp.Or(o.Budget, defaultBudget), linger: cmp.Or(o.Linger, defaultLinger),
	}
	return l, errors.Join(l.derive(o), l.count(o.Registerer))
}

func (l *Ledger) derive(o Options) error {
	index, err := keyring.New([][]byte{o.IndexSecret})
	if err != nil {
		return err
	}
	if l.hashes, err = index.Ring(purpose); err != nil {
		return err
	}
	l.seals, err = o.Secrets.Ring(purpose)
	return err
}

// clock returns now as a Store takes it.
func (l *Ledger) clock() time.Time { return l.now().UTC().Truncate(time.Millisecond) }

// bounded is a context for one call of the store, whoever hangs up.
func (l *Ledger) bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), l.budget)
}
