package idempotency

import (
	"context"
	"time"
)

const (
	// sweepEvery is how often expired entries are removed. They mean nothing once they are expired: it only frees room.
	sweepEvery = time.Minute
	// sweepChunk is how many at once: few enough that a writer in between waits milliseconds.
	sweepChunk = 1000
	// sweepChunks bounds one round, at 500,000 entries: more than requests under a key write in a minute.
	sweepChunks = 500
	// sweepBudget bounds one chunk.
	sweepBudget = 5 * time.Second
)

// Sweep removes expired entries from time to time, until ctx ends. It always returns nil: what fails is tried again.
func (l *Ledger) Sweep(ctx context.Context) error {
	ticks := time.NewTicker(sweepEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
			l.sweep(ctx)
		}
	}
}

// sweep is one round.
func (l *Ledger) sweep(ctx context.Context) {
	for range sweepChunks {
		removed, err := l.purge(ctx)
		l.metrics.purged.Add(float64(removed))
		if err != nil && ctx.Err() == nil {
			l.failed(ctx, stepPurge, err)
		}
		if err != nil || removed < sweepChunk {
			return
		}
	}
}

func (l *Ledger) purge(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, sweepBudget)
	defer cancel()
	return l.store.Purge(ctx, l.clock(), sweepChunk)
}
