package gateway

import (
	"context"
	"sync/atomic"
	"time"
)

// A worker is one goroutine that makes calls, with one caller at a time. It belongs to the caller
// that took it, until that gives it back or dismisses it.
type worker struct {
	task chan task  // holds one
	done chan ended // holds one
	// claimed is set by the first of the two that are done with a call: the driver, or the caller whose time is up.
	claimed atomic.Bool
	over    *time.Timer // bounds a call: set anew for each, which forgets what it told of the last
}

func newWorker() *worker {
	return &worker{task: make(chan task, 1), done: make(chan ended, 1), over: time.NewTimer(time.Hour)}
}

// dismiss ends the worker when it has made its call, if it has one.
func (one *worker) dismiss() { close(one.task) }

// task is a call to be made.
type task struct {
	ctx     context.Context
	message Message
	late    Late // nil: nobody
}

// ended is what came of a call, and whether the worker ended with it.
type ended struct {
	outcome outcome
	gone    bool
}

// work is a worker's life.
func (w *workers) work(one *worker) {
	for t := range one.task {
		w.make(one, t)
	}
}

// make makes one call. Its slot is free before its end is told: who has heard of it may call again.
func (w *workers) make(one *worker, t task) {
	e := ended{gone: true} // what stays if the driver ends its goroutine
	defer func() {
		<-w.slots
		if one.claimed.CompareAndSwap(false, true) {
			one.done <- e
			return
		}
		w.tooLate(t, e)
	}()
	e = ended{outcome: call(t.ctx, w.driver, t.message)}
}

// tooLate takes what came of a call that was given up: where the carrier took the message, whoever sent it is told, so that the carrier's
// receipts find theirs.
func (w *workers) tooLate(t task, e ended) {
	if e.gone || e.outcome.failure != nil {
		return
	}
	w.late.Inc()
	if t.late != nil {
		e.outcome.accepted.Gateway = w.name
		t.late.TakenLate(t.message, e.outcome.accepted)
	}
}
