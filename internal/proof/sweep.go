package proof

import (
	"context"
	"time"

	"smsd/internal/sweep"
)

const (
	// sweepEvery is how often tokens are forgotten whose time has passed.
	sweepEvery = 10 * time.Minute
	// sweepChunks bounds one round, at a million tokens: more than are consumed in the time between two.
	sweepChunks = 1000
)

// Sweep removes consumed tokens that need not be remembered any longer, from time to time, until ctx ends. It always
// returns nil: what fails is counted, and tried again.
func (t *Tokens) Sweep(ctx context.Context) error { return t.sweeper().Run(ctx) }

func (t *Tokens) sweeper() sweep.Sweeper {
	return sweep.Sweeper{
		Every: sweepEvery, Chunks: sweepChunks,
		Purge:   func(ctx context.Context, limit int) (int64, error) { return t.consumed.Purge(ctx, t.now(), limit) },
		Removed: func(n int64) { t.metrics.purged.Add(float64(n)) },
		Failed:  func(context.Context, error) { t.metrics.purgesFailed.Inc() },
	}
}
