package redisstore

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// Every connection's peer is gone without a word. Each of them costs the calls on it their budget and no more, is then
// thrown away, and what comes after goes out on a new one: no restart, nothing counted twice.
func TestHalfOpenConnectionsAreReplaced(t *testing.T) {
	t.Parallel()
	const callers, budget = 8, time.Second // on a new connection, a machine that is busy answers within it
	s := testserver.Redis(t)
	p := testserver.Proxy(t, s.Socket())
	c := open(t, p.URL(), func(o *Options) { o.PoolSize = callers })
	patient := c.budget
	g := limited("p", 1000, time.Hour)
	atOnce(callers, func() { mustTake(t, c.Counters(), g) })
	before := used(t, c.Counters(), g)

	p.Forsake()
	c.budget = budget
	var passed tally
	for lost := range 4 { // each round meets every connection that is left
		atOnce(callers, func() {
			start := time.Now()
			_, err := c.Counters().Take(context.Background(), takeOf(g))
			passed.add(err == nil)
			if err != nil && !errors.Is(err, throttle.ErrUnavailable) {
				t.Error(err)
			}
			if took := time.Since(start); took > budget+10*time.Second { // on the slowest machine; a read's own time-out is 30 s
				t.Errorf("round %d: a call took %s", lost, took)
			}
		})
	}
	recovered(t, c)
	c.budget = patient
	if n := used(t, c.Counters(), g); n != before+int64(passed.n) {
		t.Errorf("used %d, want %d and the %d that passed", n, before, passed.n)
	}
	atOnce(callers, func() { mustTake(t, c.Counters(), g) }) // none of them was left in the pool
}

// atOnce makes n calls in parallel.
func atOnce(n int, call func()) {
	var work sync.WaitGroup
	for range n {
		work.Go(call)
	}
	work.Wait()
}
