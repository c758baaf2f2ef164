package records

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// OnFailure is what happens while the database is away.
type OnFailure string

// The two ways.
const (
	// Spool keeps rows in files until the database is back; sends go on until those are full.
	Spool OnFailure = "spool"
	// Refuse takes no sends. What an earlier run has spooled is replayed all the same.
	Refuse OnFailure = "refuse"
)

// Options make a [Book]. Store and Keys must be given.
type Options struct {
	Store Store
	Keys  *Keys
	// Dir is where the folders are made, of the spool and of what is set aside. They must be this process's alone.
	Dir string
	// OnFailure; "": Spool.
	OnFailure OnFailure
	// Wait is the longest that a [Pending.Wait] takes; 0: MaxWait.
	Wait time.Duration
	// SpoolBytes bounds the spool, at least 1 MiB; 0: DefaultSpoolBytes.
	SpoolBytes int64
	// DecisionRate is how many rows a second of refused and failed attempts the log takes in the long run; 0:
	// DefaultDecisionRate.
	DecisionRate float64
	Logger       *slog.Logger // nil: none
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
	// Now is the clock of decisions and of the log; nil: time.Now.
	Now func() time.Time
}

// DefaultSpoolBytes is the bound of a spool where none is given: some 230,000 sends, each of them a row, a change and a
// decision of 1,150 bytes together; three quarters of an hour at ninety a second.
const DefaultSpoolBytes = 256 << 20

const minSpoolBytes = 1 << 20

// Book writes records. Safe for concurrent use.
type Book struct {
	keys      *Keys
	wait      time.Duration
	queue     *queue
	decisions *decisions
	spool     *spool
	refuses   bool // nothing goes to the spool
	aside     *aside
	health    *health
	courier   *courier
	writer    *writer
	metrics   *metrics
	stuck     *flag

	end     context.CancelFunc // of the courier's calls
	hurry   context.CancelFunc // of the writer's tries
	writing sync.WaitGroup
	calling sync.WaitGroup
	closing sync.Once
}

// Open takes over what an earlier run left in its spool, and begins. The store is not called before there is something
// to write: a database that is away keeps nobody from starting.
func Open(o Options) (*Book, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	b := &Book{keys: o.Keys, wait: o.Wait, queue: newQueue(), refuses: o.OnFailure == Refuse, metrics: newMetrics(), stuck: &flag{}}
	b.decisions = newDecisions(o, b.metrics)
	b.health = &health{logger: o.Logger, now: o.Now, gauge: b.metrics.away}
	if err := b.openFolders(o); err != nil {
		return nil, fmt.Errorf("records: %w", err)
	}
	if err := b.metrics.register(o.Registerer, b); err != nil {
		return nil, fmt.Errorf("records: %w", err)
	}
	b.start(o)
	return b, nil
}

// openFolders takes over what earlier runs left on disk. What they set aside is tried again. One that spools hears now if it may
// not write there; one that refuses may run where nothing can be written, until there is something to set aside.
func (b *Book) openFolders(o Options) (err error) {
	if !b.refuses {
		if err := errors.Join(makeFolder(filepath.Join(o.Dir, spoolFolder)), makeFolder(filepath.Join(o.Dir, asideFolder))); err != nil {
			return err
		}
	}
	if err := takeBack(o.Dir); err != nil {
		return fmt.Errorf("set aside: %w", err)
	}
	if b.spool, err = openSpool(filepath.Join(o.Dir, spoolFolder), o.SpoolBytes); err != nil {
		return err
	}
	doubted, err := b.spool.doubts()
	if err != nil {
		return err
	}
	if b.aside, err = openAside(o, doubted); err != nil {
		return err
	}
	b.spool.late, b.aside.rows.late = b.refuses, b.refuses
	return nil
}

// complete checks o and fills in what is zero.
func (o *Options) complete() error {
	if o.OnFailure == "" {
		o.OnFailure = Spool
	}
	if o.Wait == 0 {
		o.Wait = MaxWait
	}
	if o.SpoolBytes == 0 {
		o.SpoolBytes = DefaultSpoolBytes
	}
	if o.DecisionRate == 0 {
		o.DecisionRate = DefaultDecisionRate
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o.check()
}

func (o *Options) check() error {
	switch {
	case o.Store == nil || o.Keys == nil:
		return errors.New("records: a store and keys are needed")
	case o.OnFailure != Spool && o.OnFailure != Refuse:
		return fmt.Errorf("records: on failure %q: must be %q or %q", o.OnFailure, Spool, Refuse)
	case o.Dir == "":
		return errors.New("records: a folder is needed, for what the database does not take")
	case o.Wait < 0:
		return fmt.Errorf("records: a wait of %s: must be above 0", o.Wait)
	case o.SpoolBytes < minSpoolBytes:
		return fmt.Errorf("records: a spool of %d bytes: must be at least %d", o.SpoolBytes, minSpoolBytes)
	case o.DecisionRate < 0:
		return fmt.Errorf("records: %v decisions a second: must be above 0", o.DecisionRate)
	}
	return nil
}

func (b *Book) start(o Options) {
	life, end := context.WithCancel(context.Background())
	hurry, stop := context.WithCancel(context.Background())
	b.end, b.hurry = end, stop
	name := rand.Text() // of this run: no other one has it
	b.courier = &courier{
		store: o.Store, spool: b.spool, aside: b.aside, health: b.health, metrics: b.metrics, logger: o.Logger,
		life: life, jobs: make(chan job), wake: make(chan struct{}, 1), writer: name,
	}
	b.writer = &writer{
		queue: b.queue, decisions: b.decisions, keys: b.keys, courier: b.courier, metrics: b.metrics,
		logger: o.Logger, stuck: b.stuck, name: name, closing: make(chan struct{}), hurry: hurry,
	}
	if !b.refuses {
		b.writer.spool = b.spool
	}
	if !b.spool.empty() {
		b.health.behind(b.spool.backlog.Load())
	}
	b.calling.Go(b.courier.run)
	b.writing.Go(b.writer.run)
}

// flag is set or not. Safe for concurrent use.
type flag struct{ v atomic.Bool }

func (f *flag) set(v bool)  { f.v.Store(v) }
func (f *flag) isSet() bool { return f.v.Load() }
