package sqlstore

import (
	"context"
	"errors"
	"fmt"
)

// migrator takes the lock, and makes the file where there is none.
//
// The lock is that of another, empty database beside the file. It ends with the process, as SQLite's locks do, and
// the migration can begin and end its own transactions meanwhile. The change to a write-ahead log is under it too.
func (f sqliteFile) migrator(ctx context.Context) (*migrator, error) {
	if err := f.create(); err != nil {
		return nil, fmt.Errorf("data_dir: %w", err)
	}
	unlock, err := (f + "-migrate").lock(ctx)
	if err != nil {
		return nil, fmt.Errorf("wait for another migration: %w", err)
	}
	db, err := f.writer()
	if err != nil {
		return nil, errors.Join(err, unlock())
	}
	return &migrator{db, func() error { return errors.Join(db.Close(), unlock()) }}, nil
}

// lock keeps the file locked until the returned function is called.
func (f sqliteFile) lock(ctx context.Context) (unlock func() error, err error) {
	if err := f.create(); err != nil {
		return nil, err
	}
	db, err := f.connect(1)
	if err != nil {
		return nil, err
	}
	held, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if _, err := held.ExecContext(ctx, "BEGIN EXCLUSIVE"); err != nil { // no Tx, which would end with ctx
		return nil, errors.Join(err, held.Close(), db.Close())
	}
	return func() error { return errors.Join(held.Close(), db.Close()) }, nil
}
