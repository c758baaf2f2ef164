package records

import (
	"log/slog"
	"time"

	"smsd/internal/pause"
)

// patience is how long the oldest row of a batch may be under way before the batch goes to the spool: what is left to
// MaxWait is for the spool's disk. A batch whose rows waited long for the one before it still has leastPatience.
const (
	patience      = 250 * time.Millisecond
	leastPatience = 50 * time.Millisecond
)

// retryGap is between tries of a batch that neither the database nor the spool takes.
const retryGap = 50 * time.Millisecond

// place returns when the batch is on disk, or is given up at the end. Who waits for a batch that nothing takes is
// told at once; the batch is tried on, since its messages are out.
func (w *writer) place(l load) {
	oldest := w.begun
	if len(l.waiting) > 0 {
		oldest = l.waiting[0].begun
	}
	for {
		err := w.try(&l.batch, oldest)
		w.stuck.set(err != nil) // first: who hears of it may ask for [Book.Ready] at once
		l.settle(err)
		if err == nil {
			return
		}
		if !pause.For(w.hurry, retryGap) {
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
	w.lostRows += b.Rows()
	w.metrics.lost.Add(float64(b.Rows()))
	w.logger.Error("records: rows are lost at the end, since nothing takes them",
		slog.Int("verifications", len(b.Verifications)), slog.Int("changes", len(b.Changes)),
		slog.Int("handles", len(b.Handles)), slog.Int("decisions", len(b.Decisions)), slog.Any("error", err))
}
