package gateway

import (
	"context"
	"time"
)

// A hand is one goroutine that makes calls: a worker, of a pool with one caller at a time for each. It belongs to the caller
// that took it, until that gives it back or dismisses it.
type hand struct {
	task chan task   // holds one
	done chan ended  // holds one
	over *time.Timer // bounds a call: set anew for each, which forgets what it told of the last
}

func newHand() *hand {
	return &hand{task: make(chan task, 1), done: make(chan ended, 1), over: time.NewTimer(time.Hour)}
}

// dismiss ends the hand when it has made its call, if it has one.
func (one *hand) dismiss() { close(one.task) }

// task is a call to be made.
type task struct {
	ctx     context.Context
	message Message
}

// ended is what came of a call, and whether the hand ended with it.
type ended struct {
	outcome outcome
	gone    bool
}

// work is a hand's life.
func (h *hands) work(one *hand) {
	for t := range one.task {
		h.make(one, t)
	}
}

// make makes one call. Its slot is free before its end is told: who has heard of it may call again.
func (h *hands) make(one *hand, t task) {
	e := ended{gone: true} // what stays if the driver ends its goroutine
	defer func() { <-h.slots; one.done <- e }()
	e = ended{outcome: call(t.ctx, h.driver, t.message)}
}
