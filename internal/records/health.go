package records

import (
	"log/slog"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// linesApart is how often the log is told that the database is away.
const linesApart = time.Minute

// health knows whether the database is away, and tells the log. That it answers is no proof: one that is full, or may only be
// read, answers a ping and takes no row. So it is away until it has taken one. Safe for concurrent use.
type health struct {
	logger *slog.Logger
	now    func() time.Time
	gauge  prometheus.Gauge

	mu       sync.Mutex
	since    time.Time // away; zero: it is there
	shut     bool      // no batch goes straight to it before it has answered a ping
	told     time.Time // when the log was last told
	open     bool      // the log knows of this time that it is away
	replayed int       // rows of the spool that were written in this time
}

// away says since when the database is away; zero: it is there.
func (h *health) away() time.Time {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.since
}

// isShut reports whether no batch goes straight to the database.
func (h *health) isShut() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.shut
}

// lost notes that a call failed.
func (h *health) lost(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	h.shut = true
	if h.since.IsZero() {
		h.since, h.open, h.replayed = now, false, 0
		h.gauge.Set(1)
	}
	if h.told.IsZero() || now.Sub(h.told) >= linesApart {
		h.told, h.open = now, true
		h.logger.Warn("records: the database is away, or can't be given what is spooled", slog.Duration("for", now.Sub(h.since)), slog.Any("error", err))
	}
}

// behind notes that an earlier run left something to replay. That is told, and a database that is only about to be reached is no news
// beside it.
func (h *health) behind(bytes int64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := h.now()
	h.since, h.told, h.shut, h.open, h.replayed = now, now, true, true, 0
	h.gauge.Set(1)
	h.logger.Info("records: an earlier run left a spool, which is replayed first", slog.Int64("bytes", bytes))
}

// answered notes that the database answered a ping: what waits may be tried.
func (h *health) answered() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.shut = false
}

// took notes that the database has taken a batch. While it is shut there are others, in the spool.
func (h *health) took() {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.shut {
		h.end()
	}
}

// back notes that the database is there and nothing waits for it.
func (h *health) back() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.end()
}

func (h *health) end() {
	h.shut = false
	if h.since.IsZero() {
		return
	}
	if h.open {
		h.logger.Info("records: the database is there, and has all that was spooled",
			slog.Duration("away", h.now().Sub(h.since)), slog.Int("replayed", h.replayed))
	}
	h.since = time.Time{}
	h.gauge.Set(0)
}

// caughtUp counts rows that were replayed.
func (h *health) caughtUp(rows int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.replayed += rows
}
