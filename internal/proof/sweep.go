package proof

import (
	"context"
	"time"
)

const (
	// sweepEvery is how often tokens are forgotten whose time has passed. They mean nothing then: it only frees room.
	sweepEvery = 10 * time.Minute
	// sweepChunk is how many at once: few enough that a writer in between waits milliseconds.
	sweepChunk = 1000
	// sweepChunks bounds one round, at a million tokens: more than are consumed in the time between two.
	sweepChunks = 1000
	// sweepBudget bounds one chunk.
	sweepBudget = 5 * time.Second
)

// Sweep removes consumed tokens that need not be remembered any longer, from time to time, until ctx ends. It always returns nil:
// what fails is counted, and tried again.
func (t *Tokens) Sweep(ctx context.Context) error {
	ticks := time.NewTicker(sweepEvery)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
			t.sweep(ctx)
		}
	}
}

// sweep is one round.
func (t *Tokens) sweep(ctx context.Context) {
	for range sweepChunks {
		removed, err := t.purge(ctx)
		t.metrics.purged.Add(float64(removed))
		if err != nil && ctx.Err() == nil {
			t.metrics.purgesFailed.Inc()
		}
		if err != nil || removed < sweepChunk {
			return
		}
	}
}

func (t *Tokens) purge(ctx context.Context) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, sweepBudget)
	defer cancel()
	return t.consumed.Purge(ctx, t.now(), sweepChunk)
}
