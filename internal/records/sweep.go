package records

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/pause"
	"smsd/internal/sweep"
)

// SweepOptions make a [Sweeper]. Keeper must be given.
type SweepOptions struct {
	Keeper Keeper
	// Files is where rows are that the database did not take, as a [Book]; nil: nowhere.
	Files Forgetter
	// Verifications and Decisions are how long rows are kept, at least an hour; 0: DefaultVerificationsKept,
	// DefaultDecisionsKept.
	Verifications, Decisions time.Duration
	Logger                   *slog.Logger          // nil: none
	Registerer               prometheus.Registerer // takes the metric; nil: none
	Now                      func() time.Time      // nil: time.Now
}

// Forgetter removes rows from files, as [Book.Forget] does, and says how many.
type Forgetter interface {
	Forget(verificationsBefore, decisionsBefore time.Time) (rows int, err error)
}

var _ Forgetter = (*Book)(nil)

// How long rows are kept where nothing is said.
const (
	DefaultVerificationsKept = 30 * 24 * time.Hour
	DefaultDecisionsKept     = 180 * 24 * time.Hour
)

const (
	leastKept = time.Hour
	// A sweep removes so many rows of each kind at once, and rests in between, so that sends get their turn.
	sweepRows = 1000
	sweepRest = 50 * time.Millisecond
	// sweepTimeout bounds one call: a thousand rows and their entries in indexes are far less, unless each has to be found on a slow
	// disk.
	sweepTimeout = 10 * time.Second
	sweepGap     = time.Hour
)

// Sweeper removes rows that are older than they are kept. Several may work on one database: each finds what is left.
type Sweeper struct {
	o      SweepOptions
	purged *prometheus.CounterVec
}

// NewSweeper checks o. Nothing is done before Run or Sweep.
func NewSweeper(o SweepOptions) (*Sweeper, error) {
	o.complete()
	if o.Keeper == nil {
		return nil, errors.New("records: a sweeper needs a keeper")
	}
	if o.Verifications < leastKept || o.Decisions < leastKept {
		return nil, fmt.Errorf("records: rows kept for %s and %s: must be at least %s", o.Verifications, o.Decisions, leastKept)
	}
	s := &Sweeper{o: o, purged: counters("smsd_records_purged_total", "Rows that were removed since they had been kept for long enough.", "kind")}
	if o.Registerer != nil {
		if err := o.Registerer.Register(s.purged); err != nil {
			return nil, fmt.Errorf("records: %w", err)
		}
	}
	return s, nil
}

func (o *SweepOptions) complete() {
	if o.Verifications == 0 {
		o.Verifications = DefaultVerificationsKept
	}
	if o.Decisions == 0 {
		o.Decisions = DefaultDecisionsKept
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Run sweeps at once, and then every hour or so, until ctx ends. What fails is told to the log, and tried again the next
// time.
func (s *Sweeper) Run(ctx context.Context) {
	for ctx.Err() == nil {
		if _, err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.o.Logger.Warn("records: old rows could not be removed; the next sweep tries again", slog.Any("error", err))
		}
		pause.For(ctx, sweepGap-sweepGap/10+rand.N(sweepGap/5)) // so that instances do not come together
	}
}

// Sweep removes every row that is older than it is kept, from files and from the database, there some at a time, and says how many it
// was of the latter: with an error those that were removed before it. Where some took too long fewer are tried.
func (s *Sweeper) Sweep(ctx context.Context) (Purged, error) {
	now := s.o.Now()
	forgotten := s.forget(now)
	all, err := s.purgeAll(ctx, now)
	return all, errors.Join(forgotten, err)
}

// forget is the sweep of files: a database that is away is no reason to keep them.
func (s *Sweeper) forget(now time.Time) error {
	if s.o.Files == nil {
		return nil
	}
	rows, err := s.o.Files.Forget(now.Add(-s.o.Verifications), now.Add(-s.o.Decisions))
	if rows > 0 {
		s.purged.WithLabelValues("set_aside").Add(float64(rows))
		s.o.Logger.Warn("records: rows that were set aside were removed, since they had been kept for long enough: the database has never had them",
			slog.Int("rows", rows))
	}
	if err != nil {
		return fmt.Errorf("records: old rows that were set aside: %w", err)
	}
	return nil
}

func (s *Sweeper) purgeAll(ctx context.Context, now time.Time) (all Purged, err error) {
	rows := sweepRows
	for {
		some, err := s.purge(ctx, now, rows)
		all = all.with(some)
		if fewer := sweep.Fewer(ctx, rows, err); fewer < rows {
			rows = fewer
			continue
		}
		if done := max(some.Verifications, some.Decisions, some.Writers, some.Handles) < int64(rows); done || err != nil {
			s.tell(all)
			return all, err
		}
		pause.For(ctx, sweepRest)
	}
}

func (p Purged) with(o Purged) Purged {
	return Purged{p.Verifications + o.Verifications, p.Decisions + o.Decisions, p.Writers + o.Writers, p.Handles + o.Handles}
}

func (s *Sweeper) purge(ctx context.Context, now time.Time, rows int) (Purged, error) {
	ctx, cancel := context.WithTimeout(ctx, sweepTimeout)
	defer cancel()
	some, err := s.o.Keeper.Purge(ctx, now.Add(-s.o.Verifications), now.Add(-s.o.Decisions), rows)
	s.purged.WithLabelValues("verification").Add(float64(some.Verifications))
	s.purged.WithLabelValues("decision").Add(float64(some.Decisions))
	if err != nil {
		return some, fmt.Errorf("records: purge: %w", err)
	}
	return some, nil
}

func (s *Sweeper) tell(p Purged) {
	if p.Verifications > 0 || p.Decisions > 0 {
		s.o.Logger.Info("records: old rows were removed",
			slog.Int64("verifications", p.Verifications), slog.Int64("decisions", p.Decisions))
	}
}
