package app

import (
	"context"
	"errors"
	"log/slog"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/httpapi"
	"smsd/internal/throttle"
)

// How the stores are watched. A ping each two seconds is nothing to a Redis, and sees a loss well within
// the interval at which load balancers ask.
const (
	openTimeout = 2 * time.Second
	pingEvery   = 2 * time.Second
	pingTimeout = time.Second
	maxRetry    = 5 * time.Second // between two tries to reach them for the first time
)

// health knows whether the instance can serve.
type health struct {
	stores   *stores
	logger   *slog.Logger
	up       prometheus.Gauge
	reached  atomic.Bool // once
	lost     atomic.Bool // now
	draining atomic.Bool
	warned   []string
}

func newHealth(s *stores, logger *slog.Logger, r prometheus.Registerer) (*health, error) {
	h := &health{stores: s, logger: logger, up: prometheus.NewGauge(prometheus.GaugeOpts{
		Name: "smsd_store_up",
		Help: "1 if the stores of counters and codes answered when they were last asked, else 0.",
	})}
	return h, r.Register(h.up)
}

// state is what /readyz answers. It asks nobody: the answer is what watch last saw.
func (h *health) state(context.Context) httpapi.Health {
	s := httpapi.Health{
		Ready:    h.reached.Load() && !h.draining.Load(),
		Degraded: h.lost.Load(),
		Checks:   map[string]string{"policy": "ok", "stores": "ok", "process": "ok"},
	}
	switch {
	case !h.reached.Load():
		s.Checks["stores"] = "not reached yet"
	case h.lost.Load():
		s.Checks["stores"] = "lost; sends and verifies are answered 503 until they are back"
	}
	if h.draining.Load() {
		s.Checks["process"] = "draining"
	}
	return s
}

// open tries to reach the stores for the first time. Only what will not pass is an error.
func (h *health) open(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, openTimeout)
	defer cancel()
	err := h.stores.open(ctx)
	if errors.Is(err, throttle.ErrUnavailable) {
		h.logger.Warn("the stores do not answer; sends and verifies are answered 503 until they do: check redis.url (SMSD_REDIS_URL), that the server runs, and the way to it", "error", err)
		return nil
	}
	if err == nil {
		h.reached.Store(true)
		h.up.Set(1)
		h.warn()
	}
	return err
}

// warn logs what the stores warn of, each once. It is called by one goroutine at a time.
func (h *health) warn() {
	for _, w := range h.stores.warnings() {
		if !slices.Contains(h.warned, w) {
			h.warned = append(h.warned, w)
			h.logger.Warn(w)
		}
	}
}

// watch goes on trying to reach the stores, and then asks whether they are still there, until ctx ends.
func (h *health) watch(ctx context.Context) error {
	for wait := 250 * time.Millisecond; !h.reached.Load(); wait = min(2*wait, maxRetry) {
		if !pause(ctx, wait) {
			return nil
		}
		if err := h.open(ctx); err != nil && ctx.Err() == nil {
			return err
		}
		if h.reached.Load() {
			h.logger.Info("the stores are reached")
		}
	}
	for pause(ctx, pingEvery) {
		h.ping(ctx)
		h.warn()
	}
	return nil
}

// pause waits between d/2 and d, so that instances which lost one server together do not come back to
// it together. It returns false if ctx ended.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d/2 + rand.N(d/2))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

// ping asks the stores, and logs when the answer is another one than before.
func (h *health) ping(ctx context.Context) {
	asked, cancel := context.WithTimeout(ctx, pingTimeout)
	defer cancel()
	err := h.stores.ping(asked)
	if ctx.Err() != nil {
		return
	}
	was := h.lost.Swap(err != nil)
	switch {
	case err != nil && !was:
		h.up.Set(0)
		h.logger.Error("the stores are lost; sends and verifies are answered 503", "error", err)
	case err == nil && was:
		h.up.Set(1)
		h.logger.Info("the stores are back")
	}
}
