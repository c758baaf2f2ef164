package idempotency

import (
	"context"
	"time"

	"smsd/internal/sweep"
)

const (
	// sweepEvery is how often expired entries are removed.
	sweepEvery = time.Minute
	// sweepChunks bounds one round, at 500,000 entries: more than requests under a key write in a minute.
	sweepChunks = 500
)

// Sweep removes expired entries from time to time, until ctx ends. It always returns nil: what fails is tried again.
func (l *Ledger) Sweep(ctx context.Context) error { return l.sweeper().Run(ctx) }

func (l *Ledger) sweeper() sweep.Sweeper {
	return sweep.Sweeper{
		Every: sweepEvery, Chunks: sweepChunks,
		Purge:   func(ctx context.Context, limit int) (int64, error) { return l.store.Purge(ctx, l.clock(), limit) },
		Removed: func(n int64) { l.metrics.purged.Add(float64(n)) },
		Failed:  func(ctx context.Context, err error) { l.failed(ctx, stepPurge, err) },
	}
}
