// Package prooftest has what tests need that consume tokens: a memory of them in this process.
package prooftest

import (
	"context"
	"fmt"
	"sync"
	"time"

	"smsd/internal/proof"
)

// Consumed is a [proof.Consumed] that forgets what it is told to purge, and nothing by itself. The zero value is usable. Safe for
// concurrent use.
type Consumed struct {
	mu    sync.Mutex
	until map[string]time.Time // by jti
}

var _ proof.Consumed = (*Consumed)(nil)

// Consume implements [proof.Consumed].
func (c *Consumed) Consume(ctx context.Context, jti, _ string, until time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", proof.ErrUnavailable, err)
	}
	if _, known := c.until[jti]; known {
		return proof.ErrConsumed
	}
	if c.until == nil {
		c.until = map[string]time.Time{}
	}
	c.until[jti] = until
	return nil
}

// Len returns how many tokens are remembered.
func (c *Consumed) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.until)
}

// Purge implements [proof.Consumed].
func (c *Consumed) Purge(ctx context.Context, now time.Time, limit int) (removed int64, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return 0, fmt.Errorf("%w: %w", proof.ErrUnavailable, err)
	}
	for jti, until := range c.until {
		if removed < int64(limit) && !now.Before(until) {
			delete(c.until, jti)
			removed++
		}
	}
	return removed, nil
}
