package records

import (
	"context"
	"log/slog"
	"time"
)

// How batches are paced. The first row after a quiet time leaves at once; under load a batch begins no sooner than this
// after the one before, so that rows gather. What goes to the spool gathers for longer, since it is replayed as it was
// written.
const (
	batchGap = 2 * time.Millisecond
	spoolGap = 10 * time.Millisecond
)

// decisionsGap is how long decisions wait at most for a batch to go with.
const decisionsGap = time.Second

// besides is how many decisions go along in a batch that somebody waits for.
const besides = 100

// writer forms batches and sees each of them to the database or to the spool before it forms the next.
type writer struct {
	queue     *queue
	decisions *decisions
	keys      *Keys
	courier   *courier
	spool     *spool // nil: nothing goes there
	metrics   *metrics
	logger    *slog.Logger
	stuck     *flag // a batch is in hand that nothing takes

	name    string
	seq     uint64
	begun   time.Time     // the last batch
	closing chan struct{} // closed: write what is there, and end
	hurry   context.Context

	lostRows int // given up; read after the end
}

// run serves until closing, and until all was written or hurry ended.
func (w *writer) run() {
	tick := time.NewTicker(decisionsGap)
	defer tick.Stop()
	for closing := false; !closing; {
		select {
		case <-w.queue.wake:
		case <-w.decisions.wake:
		case <-tick.C:
		case <-w.closing:
			closing = true
		}
		w.write()
	}
	for w.last() {
	}
}

// write forms a batch of what is there and places it.
func (w *writer) write() {
	w.pace()
	if l := w.collect(false); l.batch.Rows() > 0 {
		w.place(l)
	}
}

// last is write at the end, for all that is there; it reports whether there was anything.
func (w *writer) last() bool {
	l := w.collect(true)
	if l.batch.Rows() == 0 {
		return false
	}
	w.place(l)
	return true
}

// pace waits until a batch may begin: until its time, or until it is whole.
func (w *writer) pace() {
	gap := batchGap
	if w.spool != nil && !w.courier.direct() {
		gap = spoolGap
	}
	wait := time.Until(w.begun.Add(gap))
	if wait <= 0 {
		return
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
	case <-w.queue.whole:
	case <-w.closing:
	}
}

// collect takes what waits, decisions last; of those, only what is complete unless all is asked for.
func (w *writer) collect(all bool) load {
	rows := w.queue.pop(maxBatchRows)
	room := maxBatchRows - len(rows)
	if len(rows) > 0 {
		room = min(room, besides)
	}
	l := load{}
	l.add(rows)
	l.batch.Decisions = w.decisions.take(room, all, w.keys)
	if l.batch.Rows() > 0 {
		w.seq++
		l.batch.Writer, l.batch.Seq = w.name, w.seq
		w.begun = time.Now()
		w.metrics.batchRows.Observe(float64(l.batch.Rows()))
	}
	return l
}
