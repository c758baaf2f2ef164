package app

import (
	"context"
	"errors"
	"log/slog"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/config"
	"smsd/internal/keyring"
	"smsd/internal/records"
)

// recording is the book, in which everything is written down, and the sweeper, which takes out what was kept for
// long enough.
type recording struct {
	book    *records.Book
	sweeper *records.Sweeper
}

// openRecording takes over the spool of an earlier run, and begins to write. The database is not asked yet.
func openRecording(cfg *config.Config, root *keyring.Root, db *database, dir *dataDir, logger *slog.Logger, r prometheus.Registerer) (*recording, error) {
	keys, err := records.NewKeys(root)
	if err != nil {
		return nil, err
	}
	book, err := records.Open(records.Options{
		Store: db.Records(), Keys: keys, Dir: dir.path, OnFailure: records.OnFailure(cfg.OnRecordsFailure),
		Wait: cfg.Redis.Budget, SpoolBytes: int64(cfg.Records.SpoolBytes), Logger: logger, Registerer: r,
	})
	if err != nil {
		return nil, err
	}
	sweeper, err := records.NewSweeper(records.SweepOptions{
		Keeper: db.Records(), Files: book, Verifications: cfg.Retention.Verifications, Decisions: cfg.Retention.Decisions,
		Logger: logger, Registerer: r,
	})
	if err != nil {
		return nil, errors.Join(err, book.Close(context.Background())) // nothing waits in it yet
	}
	return &recording{book, sweeper}, nil
}

// book is where the service writes; nil: nowhere.
func (a *App) book() *records.Book {
	if a.unrecorded {
		return nil
	}
	return a.recording.book
}

// sweep runs the sweeper until ctx ends.
func (r *recording) sweep(ctx context.Context) error {
	r.sweeper.Run(ctx)
	return nil
}

// close writes what waits, as long as ctx allows. Nil: it was never opened.
func (r *recording) close(ctx context.Context) error {
	if r == nil {
		return nil
	}
	return r.book.Close(ctx)
}
