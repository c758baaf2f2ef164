package app

import (
	"context"
	"errors"
	"fmt"
	"os"
	"syscall"
	"time"
)

// drainTimeout is how long a drain waits once no more requests are taken. A send takes at most the 8 s that
// gateway_timeout may be, and the store's budget beside it; Kubernetes kills after 30 s.
const drainTimeout = 12 * time.Second

// productionFarewell is how long an instance in production goes on taking requests while /readyz says that it
// drains: load balancers ask every second or two, and until they know they send more.
const productionFarewell = 3 * time.Second

// errForced is what cuts a drain short beside its own end.
var errForced = errors.New("stopped by a second signal before every request was answered")

// drainLimit is the most that a drain takes, its farewell included.
func (a *App) drainLimit() time.Duration { return a.farewell + drainTimeout }

// Run starts the instance and returns when it has stopped: nil after a drain, which SIGTERM, SIGINT or
// the end of ctx asks for. SIGHUP reads the policy again.
func (a *App) Run(ctx context.Context, signals <-chan os.Signal) error {
	if err := a.Start(ctx); err != nil {
		return errors.Join(err, a.Stop(context.WithoutCancel(ctx)))
	}
	for {
		select {
		case <-ctx.Done():
			return a.drain(ctx, signals)
		case <-a.running.Done():
			return a.drain(ctx, signals)
		case s := <-signals:
			if s != syscall.SIGHUP {
				a.logger.Info("stopping: answering what has arrived", "signal", s.String(), "at_most", a.drainLimit())
				return a.drain(ctx, signals)
			}
			_ = a.Reload() // the source logs what came of it
		}
	}
}

// drain stops the instance; another signal than SIGHUP cuts it short.
func (a *App) drain(ctx context.Context, signals <-chan os.Signal) error {
	ctx, force := context.WithCancelCause(context.WithoutCancel(ctx))
	defer force(nil)
	go func() {
		for {
			select {
			case <-ctx.Done():
				return
			case s := <-signals:
				if s != syscall.SIGHUP {
					force(errForced)
				}
			}
		}
	}()
	return a.Stop(ctx)
}

// Stop answers what has arrived, for at most 12 s (15 s in production) or until ctx ends, keeps what must survive, and closes
// everything. It returns the first thing that failed since the start. Further calls return the same.
func (a *App) Stop(ctx context.Context) error {
	a.stop.Do(func() { a.stopped = a.shut(ctx) })
	return a.stopped
}

// shut stops the parts in this order: the public listener while the operators' one still answers, then
// that one, then what runs in the background and waits for gateways, then the rows that wait, then the stores and the database, of which nobody has need any more.
func (a *App) shut(ctx context.Context) error {
	a.health.draining.Store(true)
	limit := a.drainLimit()
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("not every request was answered within %s", limit))
	defer cancel()
	a.bidFarewell(ctx)
	drained := a.public.shut(ctx)
	if err := a.admin.shut(ctx); drained == nil {
		drained = err
	}
	a.cancel(nil)
	a.gateways.Close()
	err := errors.Join(a.group.Wait(), drained, a.recording.close(ctx), a.closeStores(), a.database.Close(), a.dir.close())
	if err == nil {
		a.logger.Info("stopped")
	}
	return err
}

// bidFarewell gives load balancers time to hear of the drain, unless the instance has failed.
func (a *App) bidFarewell(ctx context.Context) {
	if a.farewell == 0 || a.public.server == nil {
		return
	}
	timer := time.NewTimer(a.farewell)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	case <-a.running.Done():
	}
}

// closeStores leaves alone what was never opened: saving it would lose what was kept before.
func (a *App) closeStores() error {
	if !a.health.stores.reached.Load() {
		return nil
	}
	return a.stores.close()
}
