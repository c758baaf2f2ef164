package redisstore

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// topology knows which server holds which keys, and looks again when that seems to have changed. Safe for
// concurrent use.
type topology struct {
	kind  kind
	fleet *fleet
	// find looks where the keys are; nil: there is one server, for good.
	find func(context.Context) (*layout, error)
	// every is how often it is called though nothing seems amiss.
	every  time.Duration
	budget time.Duration // of one look
	found  atomic.Pointer[layout]
	// sentinels are asked by find; nil: there are none.
	sentinels *sentinelFinder
	hidden    []string // passwords, never printed

	life context.Context // ends with close
	end  context.CancelFunc
	work sync.WaitGroup

	mu     sync.Mutex
	look   *look     // the one under way
	looked time.Time // when the last one ended
	closed bool
}

// look is one look at where the keys are.
type look struct {
	done chan struct{} // closed when err stands
	err  error
}

const (
	// clusterEvery only tells new servers early: a server that has lost a slot says so itself.
	clusterEvery = 10 * time.Second
	// sentinelEvery bounds for how long a former primary that still answers is believed.
	sentinelEvery = time.Second
	// lookPause is between two looks that lost calls ask for.
	lookPause = 100 * time.Millisecond
)

func newTopology(f *fleet, budget time.Duration) *topology {
	t := &topology{fleet: f, budget: budget}
	t.life, t.end = context.WithCancel(context.Background())
	return t
}

// open looks for the first time, and then goes on by itself.
func (t *topology) open(ctx context.Context) error {
	if t.find == nil {
		return nil
	}
	if err := t.refresh(ctx); err != nil {
		return err
	}
	t.work.Go(t.keepLooking)
	return nil
}

// layout returns what was found last; nil before open.
func (t *topology) layout() *layout { return t.found.Load() }

// holder returns the primary that holds key, and looks again if nobody does.
func (t *topology) holder(ctx context.Context, key string) (*node, error) {
	if n := t.layout().holder(key); n != nil {
		return n, nil
	}
	if err := t.refresh(ctx); err != nil {
		return nil, err
	}
	if n := t.layout().holder(key); n != nil {
		return n, nil
	}
	return nil, fmt.Errorf("redis cluster: nobody serves slot %d", slotOf(key))
}

// refresh looks again, or waits for the look under way, until ctx ends.
func (t *topology) refresh(ctx context.Context) error {
	if t.find == nil {
		return nil
	}
	l := t.begin(0)
	ctx, cancel := timed(ctx)
	defer cancel()
	select {
	case <-l.done:
		return l.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// suspect looks again in the background, unless that was done a moment ago.
func (t *topology) suspect() {
	if t.find != nil {
		t.begin(lookPause)
	}
}

// begin begins a look, unless one is under way, or the last one is not older than pause.
func (t *topology) begin(pause time.Duration) *look {
	t.mu.Lock()
	defer t.mu.Unlock()
	switch {
	case t.look != nil:
		return t.look
	case t.closed || time.Since(t.looked) < pause:
		return &look{done: over(), err: context.Canceled}
	}
	l := &look{done: make(chan struct{})}
	t.look = l
	t.work.Go(func() { t.run(l) })
	return l
}

// over is a channel that is closed.
func over() chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}

func (t *topology) run(l *look) {
	ctx, cancel := context.WithTimeout(t.life, t.budget)
	defer cancel()
	found, err := t.find(ctx)
	if err == nil {
		t.found.Store(found)
		t.fleet.retire()
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	l.err, t.look, t.looked = err, nil, time.Now()
	close(l.done)
}

// keepLooking looks now and then, until close.
func (t *topology) keepLooking() {
	tick := time.NewTicker(t.every)
	defer tick.Stop()
	for {
		select {
		case <-t.life.Done():
			return
		case <-tick.C:
			t.begin(t.every / 2)
		}
	}
}

// close ends every look, and closes every connection; calls under way fail.
func (t *topology) close() error {
	t.mu.Lock()
	t.closed = true
	t.mu.Unlock()
	t.end()
	t.work.Wait()
	if t.sentinels != nil {
		t.sentinels.close()
	}
	return t.fleet.close()
}
