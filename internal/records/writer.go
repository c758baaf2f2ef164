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

// patience is how long the oldest row of a batch may be under way before the batch goes to the spool: what is left to
// MaxWait is for the spool's disk. A batch whose rows waited long for the one before it still has leastPatience.
const (
	patience      = 250 * time.Millisecond
	leastPatience = 50 * time.Millisecond
)

// retryGap is between tries of a batch that neither the database nor the spool takes.
const retryGap = 50 * time.Millisecond

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
	spool     *spool // nil: none
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
	if l := w.collect(false); l.batch.rows() > 0 {
		w.place(l)
	}
}

// last is write at the end, for all that is there; it reports whether there was anything.
func (w *writer) last() bool {
	l := w.collect(true)
	if l.batch.rows() == 0 {
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
	if l.batch.rows() > 0 {
		w.seq++
		l.batch.Writer, l.batch.Seq = w.name, w.seq
		w.begun = time.Now()
		w.metrics.batchRows.Observe(float64(l.batch.rows()))
	}
	return l
}

// place returns when the batch is on disk, or is given up at the end. Who waits for a batch that nothing takes is
// told at once; the batch is tried on, since its messages are out.
func (w *writer) place(l load) {
	oldest := w.begun
	if len(l.waiting) > 0 {
		oldest = l.waiting[0].until.Add(-MaxWait)
	}
	for {
		err := w.try(&l.batch, oldest)
		l.settle(err)
		w.stuck.set(err != nil)
		if err == nil {
			return
		}
		if sleep(w.hurry, retryGap); w.hurry.Err() != nil {
			w.giveUp(l.batch, err)
			return
		}
	}
}

// try hands a batch to the database, or else to the spool.
func (w *writer) try(b *Batch, oldest time.Time) error {
	err := errAway
	if w.courier.direct() {
		left := max(time.Until(oldest.Add(patience)), leastPatience)
		if err = w.courier.deliver(*b, left); err == nil {
			return nil
		}
		w.courier.health.lost(err)
		poke(w.courier.wake)
	}
	if w.spool == nil {
		return unavailable(err)
	}
	return w.toSpool(b)
}

// toSpool appends a batch to the spool, whose second half is for rows that somebody waits for.
func (w *writer) toSpool(b *Batch) error {
	if n := len(b.Decisions); n > 0 && w.spool.used() > w.spool.limit/2 {
		w.metrics.dropped.WithLabelValues("spool").Add(float64(n))
		b.Decisions = nil
	}
	begun := time.Now()
	err := w.spool.append(*b)
	w.metrics.took("spool", begun, err)
	if err != nil {
		return unavailable(err)
	}
	count(w.metrics.spooled, *b)
	poke(w.courier.wake)
	return nil
}

func (w *writer) giveUp(b Batch, err error) {
	w.lostRows += b.rows()
	w.metrics.lost.Add(float64(b.rows()))
	w.logger.Error("records: rows are lost at the end, since nothing takes them",
		slog.Int("verifications", len(b.Verifications)), slog.Int("changes", len(b.Changes)),
		slog.Int("decisions", len(b.Decisions)), slog.Any("error", err))
}
