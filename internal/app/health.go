package app

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"smsd/internal/httpapi"
	"smsd/internal/throttle"
)

// How what is outside is watched. A ping each two seconds is nothing to a Redis or a PostgreSQL, and sees a loss well
// within the interval at which load balancers ask.
const (
	openTimeout = 2 * time.Second
	pingEvery   = 2 * time.Second
	pingTimeout = time.Second
	maxRetry    = 5 * time.Second // between two tries to reach something for the first time
)

// health knows whether the instance can serve.
type health struct {
	stores   *watched
	database *watched
	logger   *slog.Logger
	draining atomic.Bool
	// ailing are the gateways that fail; nil: nobody knows.
	ailing func() []string
}

func newHealth(s *stores, d *database, logger *slog.Logger, r prometheus.Registerer) (*health, error) {
	h := &health{stores: watchedStores(s), database: d.watched(), logger: logger}
	return h, errors.Join(r.Register(h.stores.up), r.Register(h.database.up))
}

func watchedStores(s *stores) *watched {
	return &watched{
		name: "stores", is: "the stores are",
		notYet:   "the stores do not answer; sends and verifies are answered 503 until they do: check redis.url (SMSD_REDIS_URL), that the server runs, the way to it, and that it speaks TLS if the URL says rediss, and else does not",
		away:     "sends and verifies are answered 503 until they are back",
		open:     s.open,
		passes:   func(err error) bool { return errors.Is(err, throttle.ErrUnavailable) },
		slow:     openTimeout,
		ping:     s.ping,
		warnings: s.warnings,
		up: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "smsd_store_up",
			Help: "1 if the stores of counters and codes answered when they were last asked, else 0.",
		}),
	}
}

// both are what is watched.
func (h *health) both() []*watched { return []*watched{h.stores, h.database} }

// state is what /readyz answers. It asks nobody: the answer is what watch last saw.
func (h *health) state(context.Context) httpapi.Health {
	s := httpapi.Health{Ready: !h.draining.Load(), Checks: map[string]string{"policy": "ok", "process": "ok"}}
	for _, w := range h.both() {
		s.Ready = s.Ready && w.reached.Load()
		s.Degraded = s.Degraded || w.lost.Load()
		s.Checks[w.name] = w.state()
	}
	if h.draining.Load() {
		s.Checks["process"] = "draining"
	}
	if h.ailing != nil {
		if names := h.ailing(); len(names) > 0 {
			s.Degraded, s.Checks["gateways"] = true, "failing: "+strings.Join(names, ", ")
		}
	}
	return s
}

// open tries to reach both for the first time. Only what will not pass is an error.
func (h *health) open(ctx context.Context) error {
	for _, w := range h.both() {
		if err := w.try(ctx, openTimeout, h.logger); err != nil {
			return err
		}
	}
	return nil
}

// watch watches both until ctx ends.
func (h *health) watch(ctx context.Context) error {
	all, ctx := errgroup.WithContext(ctx)
	for _, w := range h.both() {
		all.Go(func() error { return w.watch(ctx, h.logger) })
	}
	return all.Wait()
}
