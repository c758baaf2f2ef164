package app

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"smsd/internal/apikey"
	"smsd/internal/config"
	"smsd/internal/gateway"
	"smsd/internal/httpapi"
	"smsd/internal/idempotency"
	"smsd/internal/policy"
	"smsd/internal/proof"
)

// Options are what [New] takes beside the settings. The zero Options are usable.
type Options struct {
	// Out is where people are told how to use the instance, in dev; nil: nobody is.
	Out io.Writer
	// Logger; nil: what the settings say, on standard error.
	Logger *slog.Logger
	// Unrecorded has nothing written down of what is asked for and accepted, so that a benchmark can tell what records cost. It
	// is no setting: a send that was answered with success would have no row.
	Unrecorded bool
}

// App is one instance. [App.Run] is all that a program needs; tests use Start and Stop.
type App struct {
	cfg      *config.Config
	out      io.Writer
	logger   *slog.Logger
	registry *prometheus.Registry
	dir      *dataDir
	stores   *stores
	database *database
	// recording is nil until it is wired.
	recording *recording
	gateways  *gateway.Router
	health    *health
	keys      *apikey.Directory
	policy    *policy.Source
	tokens    *proof.Tokens
	ledger    *idempotency.Ledger
	http      httpapi.Options
	public    *listener
	admin     *listener
	// unrecorded is that of the Options.
	unrecorded bool
	// farewell is that of the production profile; in dev there is none, since nobody stands before it.
	farewell time.Duration
	// group is what runs; running ends when a part of it has failed, or with cancel.
	group   errgroup.Group
	running context.Context
	cancel  context.CancelCauseFunc
	stop    sync.Once
	stopped error
	started func() // called by Start at its end; for tests
}

// New returns an instance with everything wired, or every reason why not. It listens nowhere and connects
// to nothing yet, but it makes data_dir and what is kept there. An App that is not started needs [App.Stop]
// as well.
func New(cfg *config.Config, o Options) (*App, error) {
	_, warnings, err := inspect(cfg)
	if err != nil {
		return nil, err
	}
	a := &App{
		cfg:        cfg,
		out:        cmp.Or[io.Writer](o.Out, io.Discard),
		logger:     o.Logger,
		unrecorded: o.Unrecorded,
		public:     publicListener(cfg.HTTP),
		admin:      &listener{name: "admin.listen", label: "admin", most: maxAdminConnections, more: "somebody keeps them open"},

		started: func() {},
	}
	if cfg.Profile == config.Production {
		a.farewell = productionFarewell
	}
	a.running, a.cancel = context.WithCancelCause(context.Background())
	if a.logger == nil {
		a.logger = NewLogger(cfg.Log, os.Stderr)
	}
	for _, w := range warnings {
		a.logger.Warn(w)
	}
	if a.dir, err = openDataDir(cfg); err != nil {
		return nil, err
	}
	if err := a.wire(); err != nil {
		return nil, a.unwind(err)
	}
	return a, nil
}

// unwind closes what an instance that could not be made has opened.
func (a *App) unwind(err error) error {
	ended, end := context.WithCancel(context.Background())
	end() // nothing was written yet that could be waited for
	return errors.Join(err, a.recording.close(ended), a.dir.close())
}

// Start reaches the stores if they are there, listens, and returns. What fails later ends the instance,
// and is what [App.Run] or [App.Stop] returns.
func (a *App) Start(ctx context.Context) error {
	if err := a.health.open(ctx); err != nil {
		return err
	}
	a.loadKeys(ctx)
	if err := errors.Join(a.public.listen(a.cfg.HTTP.Listen), a.admin.listen(a.cfg.Admin.Listen)); err != nil {
		return err
	}
	if err := a.wireHTTP(); err != nil {
		return err
	}
	for _, run := range []func(context.Context) error{
		a.public.serve, a.admin.serve, a.health.watch, a.policy.Watch, a.ledger.Sweep, a.recording.sweep, a.keys.Watch, a.keys.Sweep, a.tokens.Sweep,
	} {
		a.group.Go(func() error { return a.part(run) })
	}
	a.announce()
	a.started()
	return nil
}

// part runs one part of the instance, which ends all of it if it fails.
func (a *App) part(run func(context.Context) error) error {
	err := run(a.running)
	if err != nil {
		a.cancel(err)
	}
	return err
}

// PublicURL returns where the public API is, as "http://127.0.0.1:8080".
func (a *App) PublicURL() string { return a.public.url() }

// AdminURL returns where the operators' API is.
func (a *App) AdminURL() string { return a.admin.url() }

// Reload reads the policy file again. A faulty one is an error, and the policy in force stays.
func (a *App) Reload() error { return a.policy.Reload() }
