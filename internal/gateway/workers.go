package gateway

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// workers make the calls to one gateway, each on a goroutine beside its caller, so that a driver which ignores its context holds
// up nobody. One that has made its call stays for the next: its stack has grown to what the driver needs, and all that a call
// takes of memory is there. Safe for concurrent use.
type workers struct {
	name   string // the gateway's
	driver Driver
	late   prometheus.Counter // of messages that it took after they were given up
	slots  chan struct{}

	mu      sync.Mutex
	idle    []*worker // who came last is taken first, and who is not needed stays at the bottom
	spare   int       // how many of them were not needed since the last look
	look    *time.Timer
	looking bool // look runs
	closed  bool
}

const (
	// maxIdle bounds the workers of a gateway that wait for calls, of some 10 KB each: as many calls as run at the same time with
	// 500 messages a second and a carrier that takes a quarter of a second.
	maxIdle = 128
	// idleFor is how long a worker waits for a call before it ends, and twice as long at most.
	idleFor = 5 * time.Second
)

// take returns a worker that waits for its task.
func (w *workers) take() *worker {
	w.mu.Lock()
	defer w.mu.Unlock()
	if last := len(w.idle) - 1; last >= 0 {
		one := w.idle[last]
		w.idle[last], w.idle = nil, w.idle[:last]
		w.spare = min(w.spare, last)
		return one
	}
	one := newWorker()
	go w.work(one)
	return one
}

// rest has a worker wait for its next caller, if there is room.
func (w *workers) rest(one *worker) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.closed || len(w.idle) >= maxIdle {
		one.dismiss()
		return
	}
	if w.idle = append(w.idle, one); !w.looking {
		w.lookLater()
	}
}

// lookLater has w look in a while which workers were not needed until then.
func (w *workers) lookLater() {
	w.spare, w.looking = len(w.idle), true
	if w.look == nil {
		w.look = time.AfterFunc(idleFor, w.thin)
		return
	}
	w.look.Reset(idleFor)
}

// thin dismisses the workers that nobody has needed since the last look.
func (w *workers) thin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.dismiss(w.spare)
	if w.looking = len(w.idle) > 0; w.looking {
		w.lookLater()
	}
}

// dismiss ends the n workers that have waited for longest.
func (w *workers) dismiss(n int) {
	for _, one := range w.idle[:n] {
		one.dismiss()
	}
	w.idle = slices.Delete(w.idle, 0, n)
	w.spare = min(w.spare, len(w.idle)) // a look may be due at the moment of a close, and comes after it
}

// close ends the workers that wait, and those that make a call after it.
func (w *workers) close() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.closed = true
	w.dismiss(len(w.idle))
	if w.look != nil {
		w.look.Stop()
	}
}

// call has the driver send a message, and waits for what comes of it until timeout.
func (w *workers) call(t task, timeout time.Duration) outcome {
	one := w.take()
	one.claimed.Store(false)
	one.over.Reset(timeout)
	one.task <- t
	select {
	case e := <-one.done:
		return w.came(one, e)
	case <-one.over.C:
		if !one.claimed.CompareAndSwap(false, true) {
			return w.came(one, <-one.done) // it has come at the last moment
		}
		one.dismiss() // it ends when the driver comes back, if ever
		return ambiguous(errOverran)
	}
}

// came is what a call came to that was made in time.
func (w *workers) came(one *worker, e ended) outcome {
	if e.gone {
		return ambiguous(errNoReturn)
	}
	w.rest(one)
	return e.outcome
}
