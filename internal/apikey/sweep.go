package apikey

import (
	"context"
	"log/slog"
	"time"

	"smsd/internal/sweep"
)

// EndedKept is how long a key is kept that was revoked or has expired: as long as decisions usually are, so that whoever still has
// it is named in the log, and `smsd keys list` tells whose requests of that time were. A key that is removed is like one that
// nobody ever had.
const EndedKept = 180 * 24 * time.Hour

const (
	// sweepEvery is often enough for the half a year that keys are kept, and soon for instances that do not live long.
	sweepEvery = 10 * time.Minute
	// sweepChunks is all keys that an instance holds.
	sweepChunks = MaxKeys / sweep.Chunk
)

// Sweep removes keys that ended long ago, from time to time, until ctx ends. It always returns nil: what fails is counted, and
// tried again.
func (d *Directory) Sweep(ctx context.Context) error { return d.sweeper().Run(ctx) }

func (d *Directory) sweeper() sweep.Sweeper {
	return sweep.Sweeper{
		Every: sweepEvery, Chunks: sweepChunks,
		Purge: func(ctx context.Context, limit int) (int64, error) {
			return d.store.Purge(ctx, d.now().Add(-EndedKept), limit)
		},
		Removed: d.removed,
		Failed:  func(context.Context, error) { d.metrics.failures.WithLabelValues("purge").Inc() },
	}
}

func (d *Directory) removed(n int64) {
	if n > 0 {
		d.logger.Info("API keys that ended long ago were removed", slog.Int64("keys", n))
	}
}
