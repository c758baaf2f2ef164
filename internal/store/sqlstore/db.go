package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"smsd/internal/records"
)

// DB is one database. It is safe for concurrent use.
type DB struct {
	dialect dialect
	now     func() time.Time
	opening sync.Mutex
	opened  atomic.Pointer[pools] // nil: not yet

	verifications table[records.Verification]
	handles       table[named]
	decisionRows  table[decisionRow]
	writings      writings
}

// pools are the connections: those that write and those that read, which may be the same.
type pools struct {
	write, read *sql.DB
	// kept are statements of write, in SQLite.
	kept *prepared
	// still says whether they are to what has the database's name now; nil: they always are.
	still func() error
}

// there is still, where it may be asked.
func (p *pools) there() error {
	if p.still == nil {
		return nil
	}
	return p.still()
}

// New returns a database that was not reached yet.
func New(o Options) (*DB, error) {
	d := &DB{now: o.Now, verifications: verificationTable(), handles: handleTable(), decisionRows: decisionRowTable()}
	if d.now == nil {
		d.now = time.Now
	}
	var err error
	if o.URL.IsZero() {
		d.dialect, err = newSQLite(o)
	} else {
		d.dialect, err = newPostgres(o)
	}
	if err != nil {
		return nil, err
	}
	d.writings = newWritings(d.dialect)
	return d, nil
}

// Open is [New] and [DB.Open].
func Open(ctx context.Context, o Options) (*DB, error) {
	d, err := New(o)
	if err != nil {
		return nil, err
	}
	return d, d.Open(ctx)
}

// Open reaches the database and brings its schema up to date. An error that unwraps to [ErrUnavailable] may pass, and
// Open may be called again; another one will not. Once it succeeded, further calls do nothing.
func (d *DB) Open(ctx context.Context) error {
	d.opening.Lock()
	defer d.opening.Unlock()
	if d.opened.Load() != nil {
		return nil
	}
	if _, err := d.MigrateUp(ctx); err != nil {
		return err
	}
	p, err := d.dialect.open(ctx)
	if err != nil {
		return failed(ctx, "open", err)
	}
	d.opened.Store(p)
	return nil
}

// Ping asks whether the database is there and has its tables.
func (d *DB) Ping(ctx context.Context) error {
	return d.read(ctx, "ping", func(ctx context.Context, t runner) error {
		var version int64
		return t.row(ctx, "SELECT version FROM api_keys_version").Scan(&version)
	})
}

// Close ends every connection. It waits for calls that run.
func (d *DB) Close() error {
	d.opening.Lock()
	defer d.opening.Unlock()
	p := d.opened.Swap(nil)
	if p == nil {
		return nil
	}
	return p.close()
}

func (p *pools) close() error {
	err := p.write.Close()
	if p.read != p.write {
		err = errors.Join(err, p.read.Close())
	}
	if err != nil {
		return failed(context.Background(), "close", err)
	}
	return nil
}

// read runs what changes nothing.
func (d *DB) read(ctx context.Context, what string, do func(context.Context, runner) error) error {
	return d.run(ctx, what, func(ctx context.Context, p *pools) error { return do(ctx, runner{d.dialect, p.read}) })
}

// write runs one statement, which is a transaction of its own.
func (d *DB) write(ctx context.Context, what string, do func(context.Context, runner) error) error {
	return d.run(ctx, what, func(ctx context.Context, p *pools) error { return do(ctx, runner{d.dialect, p.write}) })
}

// snapshot runs reads that see one state of the database.
func (d *DB) snapshot(ctx context.Context, what string, do func(context.Context, runner) error) error {
	o := &sql.TxOptions{Isolation: d.dialect.snapshot, ReadOnly: true}
	return d.run(ctx, what, func(ctx context.Context, p *pools) error { return d.transaction(ctx, p.read, o, do) })
}

// transact runs statements of which all count, or none.
func (d *DB) transact(ctx context.Context, what string, do func(context.Context, runner) error) error {
	return d.run(ctx, what, func(ctx context.Context, p *pools) error { return d.transaction(ctx, p.write, nil, do) })
}

func (d *DB) transaction(ctx context.Context, in *sql.DB, o *sql.TxOptions, do func(context.Context, runner) error) error {
	return inTransaction(ctx, in, o, func(t *sql.Tx) error { return do(ctx, runner{d.dialect, t}) })
}

func inTransaction(ctx context.Context, in *sql.DB, o *sql.TxOptions, do func(*sql.Tx) error) error {
	t, err := in.BeginTx(ctx, o)
	if err != nil {
		return err
	}
	defer func() { _ = t.Rollback() }() // nothing is left to undo behind a commit
	if err := do(t); err != nil {
		return err
	}
	return t.Commit()
}

// run bounds a call, and makes its error one that may be shown. what names it there.
func (d *DB) run(ctx context.Context, what string, do func(context.Context, *pools) error) error {
	p := d.opened.Load()
	if p == nil {
		return fmt.Errorf("%s: %w", what, ErrUnavailable)
	}
	if end, ends := ctx.Deadline(); ends && !time.Now().Before(end) {
		return failed(ctx, what, context.DeadlineExceeded) // a timer may be late, and what comes too late does nothing
	}
	if err := p.there(); err != nil {
		return failed(ctx, what, err)
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if err := do(ctx, p); err != nil {
		return failed(ctx, what, err)
	}
	return nil
}
