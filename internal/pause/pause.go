// Package pause waits without outliving whoever waits: a pause ends with its context.
package pause

import (
	"context"
	"math/rand/v2"
	"time"
)

// For waits for d, or until ctx ends; then it returns false.
func For(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// About waits between d/2 and d, so that instances which lost one server together do not come back to it together.
// d must be 2 ns or more.
func About(ctx context.Context, d time.Duration) bool { return For(ctx, d/2+rand.N(d/2)) }
