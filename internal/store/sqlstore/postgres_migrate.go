package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

const (
	// migrationLock is the advisory lock of those who migrate: "smsd" in ASCII.
	migrationLock = 0x736d7364
	// lockWait is how long a step waits for a table's lock. Whoever comes to the table meanwhile waits behind it, readers and writers
	// alike: so it is short against the time that a send has for its row (records.MaxWait, 400 ms).
	lockWait = 100 * time.Millisecond
)

// migrator takes an advisory lock, which ends with its connection, whatever becomes of this process.
func (p postgres) migrator(ctx context.Context) (*migrator, error) {
	db := p.connect(2, 0, stdlib.OptionAfterConnect(waitBriefly)) // one has the lock, the other one migrates, for as long as it takes
	held, err := db.Conn(ctx)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	for _, statement := range []string{"SET lock_timeout = 0", fmt.Sprintf("SELECT pg_advisory_lock(%d)", migrationLock)} {
		if _, err := held.ExecContext(ctx, statement); err != nil {
			return nil, errors.Join(err, held.Close(), db.Close())
		}
	}
	return &migrator{db, func() error { return errors.Join(held.Close(), db.Close()) }}, nil
}

// waitBriefly bounds the waits for locks on a connection, whatever the URL says.
func waitBriefly(ctx context.Context, c *pgx.Conn) error {
	_, err := c.Exec(ctx, fmt.Sprintf("SET lock_timeout = %d", lockWait.Milliseconds()))
	return err
}

// lockNotAvailable is the SQLSTATE of a wait for a lock that took too long.
const lockNotAvailable = "55P03"

func isLockTimeout(err error) bool {
	e, ok := errors.AsType[*pgconn.PgError](err)
	return ok && e.Code == lockNotAvailable
}
