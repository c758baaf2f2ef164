package app

import (
	"context"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/pause"
)

// watched is something outside that the instance needs: reached once before it is ready, and asked from then on
// whether it is still there.
type watched struct {
	name   string // in the answer of /readyz, as "stores"
	is     string // in the log, as "the stores are"
	notYet string // what happens until it is reached for the first time, and what to do
	away   string // what happens while it is lost
	// open reaches it for the first time. passes says of its error whether open may be called again.
	open   func(context.Context) error
	passes func(error) bool
	// slow is how long a try may take that nobody waits for.
	slow     time.Duration
	ping     func(context.Context) error
	warnings func() []string
	up       prometheus.Gauge

	reached atomic.Bool // once
	lost    atomic.Bool // now
	warned  []string
	// reminder is of it not being reached yet.
	reminder reminder
}

// state says in a word or two what watch last saw.
func (w *watched) state() string {
	switch {
	case !w.reached.Load():
		return "not reached yet"
	case w.lost.Load():
		return "lost; " + w.away
	}
	return "ok"
}

// try reaches it for the first time, in the time given. Only what will not pass is an error.
func (w *watched) try(ctx context.Context, limit time.Duration, logger *slog.Logger) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	err := w.open(ctx)
	if err != nil && w.passes(err) {
		if w.reminder.due(err.Error(), time.Now()) {
			logger.Warn(w.notYet, "error", err)
		}
		return nil
	}
	if err == nil {
		w.reached.Store(true)
		w.up.Set(1)
		w.warn(logger)
	}
	return err
}

// warn logs what it warns of, each once. It is called by one goroutine at a time.
func (w *watched) warn(logger *slog.Logger) {
	for _, text := range w.warnings() {
		if !slices.Contains(w.warned, text) {
			w.warned = append(w.warned, text)
			logger.Warn(text)
		}
	}
}

// watch goes on trying to reach it, and then asks whether it is still there, until ctx ends.
func (w *watched) watch(ctx context.Context, logger *slog.Logger) error {
	for wait := 250 * time.Millisecond; !w.reached.Load(); wait = min(2*wait, maxRetry) {
		if !pause.About(ctx, wait) {
			return nil
		}
		if err := w.try(ctx, w.slow, logger); err != nil && ctx.Err() == nil {
			return err
		}
		if w.reached.Load() {
			logger.Info(w.is + " reached")
		}
	}
	for pause.About(ctx, pingEvery) {
		w.ask(ctx, logger)
		w.warn(logger)
	}
	return nil
}

// ask pings it, and logs when the answer is another one than before.
func (w *watched) ask(ctx context.Context, logger *slog.Logger) {
	asked, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	err := w.ping(asked)
	if ctx.Err() != nil {
		return
	}
	was := w.lost.Swap(err != nil)
	switch {
	case err != nil && !was:
		w.up.Set(0)
		logger.Error(w.is+" lost; "+w.away, "error", err)
	case err == nil && was:
		w.up.Set(1)
		logger.Info(w.is + " back")
	}
}
