package gateway

import (
	"context"
	"slices"
	"sync"
	"time"
)

// hands make the calls to one gateway, each on a goroutine beside its caller, so that a driver which ignores its context holds
// up nobody. One that has made its call stays for the next: its stack has grown to what the driver needs, and all that a call
// takes of memory is there. Safe for concurrent use.
type hands struct {
	driver Driver
	slots  chan struct{}

	mu      sync.Mutex
	idle    []*hand // who came last is taken first, and who is not needed stays at the bottom
	spare   int     // how many of them were not needed since the last look
	look    *time.Timer
	looking bool // look runs
	closed  bool
}

const (
	// maxIdle bounds the hands of a gateway that wait for calls, of some 10 KB each: as many calls as run at the same time with
	// 500 messages a second and a carrier that takes a quarter of a second.
	maxIdle = 128
	// idleFor is how long a hand waits for a call before it ends, and twice as long at most.
	idleFor = 5 * time.Second
)

// take returns a hand that waits for its task.
func (h *hands) take() *hand {
	h.mu.Lock()
	defer h.mu.Unlock()
	if last := len(h.idle) - 1; last >= 0 {
		one := h.idle[last]
		h.idle[last], h.idle = nil, h.idle[:last]
		h.spare = min(h.spare, last)
		return one
	}
	one := newHand()
	go h.work(one)
	return one
}

// rest has a hand wait for its next caller, if there is room.
func (h *hands) rest(one *hand) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed || len(h.idle) >= maxIdle {
		one.dismiss()
		return
	}
	if h.idle = append(h.idle, one); !h.looking {
		h.lookLater()
	}
}

// lookLater has h look in a while which hands were not needed until then.
func (h *hands) lookLater() {
	h.spare, h.looking = len(h.idle), true
	if h.look == nil {
		h.look = time.AfterFunc(idleFor, h.thin)
		return
	}
	h.look.Reset(idleFor)
}

// thin dismisses the hands that nobody has needed since the last look.
func (h *hands) thin() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.dismiss(h.spare)
	if h.looking = len(h.idle) > 0; h.looking {
		h.lookLater()
	}
}

// dismiss ends the n hands that have waited for longest.
func (h *hands) dismiss(n int) {
	for _, one := range h.idle[:n] {
		one.dismiss()
	}
	h.idle = slices.Delete(h.idle, 0, n)
	h.spare = min(h.spare, len(h.idle)) // a look may be due at the moment of a close, and comes after it
}

// close ends the hands that wait, and those that make a call after it.
func (h *hands) close() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.closed = true
	h.dismiss(len(h.idle))
	if h.look != nil {
		h.look.Stop()
	}
}

// call has the driver send m, and waits for what comes of it until timeout.
func (h *hands) call(ctx context.Context, m Message, timeout time.Duration) outcome {
	one := h.take()
	one.over.Reset(timeout)
	one.task <- task{ctx, m}
	select {
	case e := <-one.done:
		if e.gone {
			return ambiguous(errNoReturn)
		}
		h.rest(one)
		return e.outcome
	case <-one.over.C:
		one.dismiss() // it ends when the driver comes back, if ever
		return ambiguous(errOverran)
	}
}
