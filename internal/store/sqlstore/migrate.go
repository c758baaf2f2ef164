package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/pressly/goose/v3"

	"smsd/internal/pause"
)

// Migration is one step of the schema.
type Migration struct {
	Version int64
	Name    string // of its file
	// AppliedAt is when the database took it; the zero Time: it has not.
	AppliedAt time.Time
}

// ErrNewer is a database whose schema is that of a later version of this program, which this one may not touch.
var ErrNewer = errors.New("the database's schema is newer than this program")

// migrator is what a migration runs with: its connections, and the lock that keeps others out until close.
type migrator struct {
	db    *sql.DB
	close func() error
}

// goose's table: one row for each step that was applied, and one for version 0.
const versionTable = goose.DefaultTablename

// MigrateUp applies what the database lacks, and returns it, with an error what was applied before. Any number of processes may call it at once: one migrates,
// the others wait for it. A database that lacks nothing is only read. A step that finds a table in use does not stand in the way of
// those who use it: it is tried again, until ctx ends.
func (d *DB) MigrateUp(ctx context.Context) ([]Migration, error) {
	known, err := d.Migrations(ctx)
	if err != nil || len(pending(known)) == 0 {
		return nil, err
	}
	m, err := d.dialect.migrator(ctx)
	if err != nil {
		return nil, failed(ctx, "migrate", err)
	}
	applied, err := d.up(ctx, m.db)
	if err := errors.Join(err, m.close()); err != nil {
		return applied, failed(ctx, "migrate", err)
	}
	return applied, nil
}

// mayMigrate says what the user lacks for what is pending.
func (d *DB) mayMigrate(ctx context.Context, in runner) error {
	if d.dialect.mayMigrate == nil {
		return nil
	}
	return d.dialect.mayMigrate(ctx, in)
}

func (d *DB) up(ctx context.Context, db *sql.DB) ([]Migration, error) {
	if err := d.mayMigrate(ctx, runner{d.dialect, db}); err != nil {
		return nil, err
	}
	p, err := d.provider(db)
	if err != nil {
		return nil, err
	}
	var applied []Migration
	for again := false; ; again = true {
		some, err := d.upOnce(ctx, p)
		applied = append(applied, some...)
		waited := d.heldUp(err)
		switch {
		case err != nil && again && ctx.Err() != nil, waited && !pause.About(ctx, heldUpPause):
			return applied, fmt.Errorf("%w: %w: %w", ErrUnavailable, errHeldUp, ctx.Err())
		case !waited:
			return applied, err
		}
	}
}

// errHeldUp is a step that found a table in use, and had no time left when it was tried again.
var errHeldUp = errors.New("a long transaction used a table that is to be changed: end it if it still does (pg_stat_activity shows it), and migrate again")

// heldUpPause is between tries of a step that did not get its locks, up to this: several times what a try has others wait, so that
// these have the table for most of the time.
const heldUpPause = time.Second

func (d *DB) heldUp(err error) bool { return d.dialect.isHeldUp != nil && d.dialect.isHeldUp(err) }

// upOnce applies steps up to the first that fails.
func (d *DB) upOnce(ctx context.Context, p *goose.Provider) ([]Migration, error) {
	done, err := p.Up(ctx)
	if partial, ok := errors.AsType[*goose.PartialError](err); ok {
		done = partial.Applied
	}
	var applied []Migration
	for _, one := range done {
		applied = append(applied, Migration{one.Source.Version, path.Base(one.Source.Path), d.now()})
	}
	return applied, err
}

// provider is goose with the dialect's files. It knows no others: what packages register is not asked for.
func (d *DB) provider(db *sql.DB) (*goose.Provider, error) {
	return goose.NewProvider(d.dialect.goose, db, d.dialect.migrations, goose.WithDisableGlobalRegistry(true), goose.WithLogger(goose.NopLogger()))
}

// Migrations returns every step of the schema, the oldest first, with when the database took it. It changes nothing. A
// database that took one which is not known is [ErrNewer].
func (d *DB) Migrations(ctx context.Context) ([]Migration, error) {
	db, err := d.dialect.look(ctx)
	if err != nil {
		return nil, failed(ctx, "read the schema's version", err)
	}
	defer db.Close()
	p, err := d.provider(db)
	if err != nil {
		return nil, failed(ctx, "read the migrations", err)
	}
	applied, err := d.applied(ctx, db)
	if err != nil {
		return nil, failed(ctx, "read the schema's version", err)
	}
	return d.matched(p.ListSources(), applied)
}

// matched puts what is known and what was applied together.
func (d *DB) matched(known []*goose.Source, applied map[int64]time.Time) ([]Migration, error) {
	var all []Migration
	for _, s := range known {
		all = append(all, Migration{s.Version, path.Base(s.Path), applied[s.Version]})
		delete(applied, s.Version)
	}
	for version := range applied {
		return nil, fmt.Errorf("%w: it took step %d, and this program knows %d; run a newer smsd, or go back to a copy of the database from before",
			ErrNewer, version, len(known))
	}
	return all, nil
}

// applied returns which steps the database took, and when.
func (d *DB) applied(ctx context.Context, db *sql.DB) (map[int64]time.Time, error) {
	all := map[int64]time.Time{}
	if made, err := d.dialect.made(); !made || err != nil {
		return all, err
	}
	in := runner{d.dialect, db}
	var tables int
	if err := in.row(ctx, d.dialect.exists, versionTable).Scan(&tables); err != nil || tables == 0 {
		return all, err
	}
	rows, err := in.query(ctx, "SELECT version_id, tstamp FROM "+versionTable+" WHERE version_id > 0")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var version int64
		var at time.Time
		if err := rows.Scan(&version, &at); err != nil {
			return nil, err
		}
		all[version] = at.UTC()
	}
	return all, rows.Err()
}

// pending are the steps that the database has not taken.
func pending(all []Migration) []Migration {
	var left []Migration
	for _, m := range all {
		if m.AppliedAt.IsZero() {
			left = append(left, m)
		}
	}
	return left
}
