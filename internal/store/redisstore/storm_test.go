package redisstore

import (
	"context"
	"runtime"
	"sync"
	"testing"
	"time"

	"smsd/internal/testserver"
)

// redis_rate#60, envoy#1188: a thousand callers of a frozen server. Each is answered in its time, and nothing of them
// stays behind. Not parallel: it counts goroutines.
func TestStormOnAFrozenServerLeavesNothing(t *testing.T) {
	s := testserver.Redis(t)
	c := open(t, s.URL())
	g := limited("p", 9, time.Hour)
	mustTake(t, c.Counters(), g)
	before := runtime.NumGoroutine()
	s.Freeze()
	start := time.Now()
	var work sync.WaitGroup
	for range 1000 {
		work.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
			defer cancel()
			_, err := c.Counters().Take(ctx, takeOf(g))
			wantUnavailable(t, err)
		})
	}
	work.Wait()
	if took := time.Since(start); took > 20*time.Second { // a read's own time-out is 30 s
		t.Errorf("the last one was answered after %s", took)
	}
	s.Thaw()
	eventually(t, "recovery", func() bool { return c.Ping(shortly(t)) == nil })
	eventually(t, "goroutines end", func() bool { return runtime.NumGoroutine() <= before+connsPerCore })
	if n := used(t, c.Counters(), g); n != 1 {
		t.Errorf("used %d, want 1: a call of the storm happened late", n)
	}
}
