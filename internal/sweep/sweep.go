// Package sweep removes what has expired, some at a time and now and then. What has expired means nothing to anybody
// any more: a sweep only frees room, so what fails is left to the next one.
package sweep

import (
	"context"
	"errors"
	"time"
)

const (
	// Chunk is how many are removed at once: few enough that a writer in between waits milliseconds.
	Chunk = 1000
	// fewest is how many are tried where more of them took too long: a disk that finds each in its own time needs a second for a
	// hundred.
	fewest = 10
	// timeout bounds one chunk.
	timeout = 5 * time.Second
)

// Sweeper says what to remove, and how often. Every field is required.
type Sweeper struct {
	// Every is the time between two rounds.
	Every time.Duration
	// Chunks bounds a round. It should be above what may expire in Every.
	Chunks int
	// Purge removes at most limit, and says how many. Its ctx has a deadline.
	Purge func(ctx context.Context, limit int) (removed int64, err error)
	// Removed counts what a chunk has removed.
	Removed func(n int64)
	// Failed hears of a chunk that failed, but not when ctx has ended.
	Failed func(ctx context.Context, err error)
}

// Run sweeps until ctx ends. It always returns nil, as a part of an instance that cannot fail.
func (s Sweeper) Run(ctx context.Context) error {
	ticks := time.NewTicker(s.Every)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticks.C:
			s.Round(ctx)
		}
	}
}

// Round sweeps once: until nothing is left, a chunk fails or there were Chunks of them. After one that took too long, which has
// removed nothing, fewer are tried: or a slow database would never lose any.
func (s Sweeper) Round(ctx context.Context) {
	limit := Chunk
	for range s.Chunks {
		removed, err := s.chunk(ctx, limit)
		s.Removed(removed)
		if err != nil && ctx.Err() == nil {
			s.Failed(ctx, err)
		}
		switch fewer := Fewer(ctx, limit, err); {
		case fewer < limit:
			limit = fewer
		case err != nil || removed < int64(limit):
			return
		}
	}
}

// Fewer is how many to try next, where so many ended with err: a tenth, if they took too long and more than a few were
// tried; else the same.
func Fewer(ctx context.Context, limit int, err error) int {
	if !errors.Is(err, context.DeadlineExceeded) || ctx.Err() != nil {
		return limit
	}
	return min(limit, max(limit/10, fewest))
}

func (s Sweeper) chunk(ctx context.Context, limit int) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return s.Purge(ctx, limit)
}
