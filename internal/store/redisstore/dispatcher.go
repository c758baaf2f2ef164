package redisstore

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// dispatcher carries the calls of one server. A call that finds nobody on the wire goes at once and alone; what
// queues meanwhile goes together as the next batch, one pipeline on one connection. Nobody is waited for.
//
// A batch that is out for longer than patience no longer holds up those behind it: they go out on another lane, a
// connection more, up to a bound. So a slow answer or a frozen connection costs its own batch and a moment of the
// others', and a distant server is not asked only once in each round trip.
//
// go-redis has a pipeliner of this kind, AutoPipeline. It sends calls that nobody waits for any more, waits
// past the end of a caller's context, and was not faster; docs/performance.md has the figures.
//
// Safe for concurrent use.
type dispatcher struct {
	bounds  bounds
	breaker *breaker
	send    func(context.Context, []redis.Cmder) // returns when each has its answer or its error
	local   func() int64                         // the clock of trips
	traffic *traffic

	life context.Context // ends with close
	end  context.CancelFunc
	work sync.WaitGroup
	free sync.Pool // of *queued that nobody uses

	mu     sync.Mutex
	queue  []*queued // oldest first
	lanes  int       // batches on the wire
	all    []*lane   // those on the wire, and those that rest
	idle   []*lane   // those that rest
	widen  *time.Timer
	armed  bool // widen is running
	ends   *time.Timer
	first  time.Time // when ends goes off; zero: it does not
	closed bool
}

// bounds are how much a dispatcher takes on.
type bounds struct {
	lanes    int           // batches on the wire
	queue    int           // calls that wait
	calls    int           // of a batch
	bytes    int           // of a batch of more than one call
	patience time.Duration // what a call waits while a lane is free
	budget   time.Duration // the longest that a call may take
}

var (
	errQueueFull = errors.New("too many calls wait for the server")
	errClosed    = errors.New("the client is closed")
)

func newDispatcher(b bounds, send func(context.Context, []redis.Cmder), local func() int64, t *traffic) *dispatcher {
	d := &dispatcher{bounds: b, breaker: newBreaker(b.budget, t), send: send, local: local, traffic: t}
	d.life, d.end = context.WithCancel(context.Background())
	d.widen = time.AfterFunc(time.Hour, d.another)
	d.widen.Stop()
	d.ends = time.AfterFunc(time.Hour, d.expire)
	d.ends.Stop()
	d.free.New = func() any { return &queued{done: make(chan struct{}, 1)} }
	return d
}

// do sends cmd and waits for its answer, until ctx ends or its deadline has come, whether or not ctx tells of that. It
// sends nothing twice, and nothing that was in the queue when ctx ended; what was in a batch goes with that, and a script that
// comes too late does nothing by itself (not_after). After an error cmd and its arguments may still be in use, and must be
// left alone.
func (d *dispatcher) do(ctx context.Context, cmd redis.Cmder) (trip, error) {
	if d.breaker.refuses() {
		return trip{}, errOpen
	}
	q := d.free.Get().(*queued)
	q.begin(ctx, cmd)
	if err := d.enter(q); err != nil {
		return trip{}, err
	}
	select {
	case <-q.done:
	case <-q.early:
		d.leave(q)
		return trip{}, ctx.Err()
	}
	t, err := q.trip, q.err
	if err == nil { // else it may still be in use
		q.forget()
		d.free.Put(q)
	}
	return t, err
}

// enter queues a call, and sends it where nobody is on the wire.
func (d *dispatcher) enter(q *queued) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.closed:
		return errClosed
	case len(d.queue) >= d.bounds.queue:
		return errQueueFull
	}
	d.queue = append(d.queue, q)
	d.traffic.queued.Add(1)
	d.watch(q.end)
	if d.lanes == 0 {
		d.open()
	} else if d.lanes < d.bounds.lanes && !d.armed {
		d.arm(d.bounds.patience)
	}
	return nil
}

// leave takes a call out of the queue whose caller has gone; one that is on the wire stays there.
func (d *dispatcher) leave(q *queued) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if i := slices.Index(d.queue, q); i >= 0 {
		d.queue = slices.Delete(d.queue, i, i+1)
		d.traffic.queued.Add(-1)
	}
}

// close fails what waits and what comes. What is on the wire ends with its connection; wait returns when it has.
func (d *dispatcher) close() {
	d.mu.Lock()
	d.closed = true
	d.widen.Stop()
	waiting := d.queue
	d.queue = nil
	d.traffic.queued.Add(-int64(len(waiting)))
	d.mu.Unlock()
	failAll(waiting, errClosed)
	d.end()
}

func (d *dispatcher) wait() {
	d.work.Wait()
	d.ends.Stop()
}
