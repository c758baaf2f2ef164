package redisstore

import (
	"context"
	"errors"
	"testing"
	"time"
)

// The nearer of a caller's deadline and the budget bounds a call.
func TestBounded(t *testing.T) {
	t.Parallel()
	now := time.Now()
	for name, c := range map[string]struct {
		own  time.Duration // of the caller; 0: none
		want time.Duration
	}{
		"no deadline": {0, time.Second}, "nearer": {time.Millisecond, time.Millisecond}, "farther": {time.Minute, time.Second},
	} {
		ctx := context.Background()
		if c.own > 0 {
			ctx = ending{ctx, now.Add(c.own)}
		}
		if end, has := bounded(ctx, now, time.Second).Deadline(); !has || !end.Equal(now.Add(c.want)) {
			t.Errorf("%s: it ends after %s, want %s", name, end.Sub(now), c.want)
		}
	}
}

// A context has ended at its deadline though it does not say so, and when it says so itself.
func TestEnded(t *testing.T) {
	t.Parallel()
	now := time.Now()
	hungUp, cancel := context.WithCancel(context.Background())
	cancel()
	for _, c := range []struct {
		ctx  context.Context
		want error
	}{
		{context.Background(), nil},
		{ending{context.Background(), now.Add(1)}, nil},
		{ending{context.Background(), now}, context.DeadlineExceeded},
		{ending{hungUp, now.Add(1)}, context.Canceled},
	} {
		if err := ended(c.ctx, now); !errors.Is(err, c.want) {
			t.Errorf("got %v, want %v", err, c.want)
		}
	}
}

// Who waits for another to look where the keys are leaves in time too.
func TestCallerLeavesTheLook(t *testing.T) {
	t.Parallel()
	top := newTopology(newFleet(nil), 10*time.Second)
	top.find = func(ctx context.Context) (*layout, error) { <-ctx.Done(); return nil, errReply }
	if err := top.refresh(silent(50 * time.Millisecond)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v", err)
	}
	if err := top.close(); err != nil {
		t.Error(err)
	}
}
