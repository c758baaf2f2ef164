package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"strings"

	"smsd/internal/records"
)

// LockMigrations keeps others from migrating until it is unlocked.
func (d *DB) LockMigrations(ctx context.Context) (unlock func() error, err error) {
	m, err := d.dialect.migrator(ctx)
	if err != nil {
		return nil, err
	}
	return m.close, nil
}

// MigrateTo brings an empty database to a version.
func (d *DB) MigrateTo(ctx context.Context, version int64) error {
	m, err := d.dialect.migrator(ctx)
	if err != nil {
		return err
	}
	defer m.close()
	p, err := d.provider(m.db)
	if err != nil {
		return err
	}
	_, err = p.UpTo(ctx, version)
	return err
}

// Ask returns the rows of a question to the tables, as they are, each with | between its values.
func (d *DB) Ask(ctx context.Context, question string) ([]string, error) {
	db, err := d.dialect.open(ctx)
	if err != nil {
		return nil, err
	}
	defer db.close()
	rows, err := db.read.QueryContext(ctx, question)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var all []string
	for rows.Next() {
		values, into := make([]string, len(columns)), make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, strings.Join(values, "|"))
	}
	return all, rows.Err()
}

// Begin runs a statement in a transaction, and returns what runs another one in it and commits.
func (d *DB) Begin(ctx context.Context, statement string) (then func(statement string) error, err error) {
	db, err := d.dialect.open(ctx)
	if err != nil {
		return nil, err
	}
	t, err := db.write.BeginTx(ctx, nil)
	if err != nil {
		return nil, errors.Join(err, db.close())
	}
	_, err = t.ExecContext(ctx, statement)
	return func(statement string) error {
		defer db.close()
		defer func() { _ = t.Rollback() }()
		if _, err := t.ExecContext(ctx, statement); err != nil {
			return err
		}
		return t.Commit()
	}, err
}

// Execute runs a statement on the tables, as they are.
func (d *DB) Execute(ctx context.Context, statement string) error {
	db, err := d.dialect.open(ctx)
	if err != nil {
		return err
	}
	defer db.close()
	_, err = db.write.ExecContext(ctx, statement)
	return err
}

// PlanOfVerifications is how SQLite would read a listing.
func (d *DB) PlanOfVerifications(ctx context.Context, f records.Filter) (string, error) {
	query, values := d.Records().verificationQuery(f)
	return d.plan(ctx, query, values)
}

// PlanOfDecisions is how SQLite would read a listing.
func (d *DB) PlanOfDecisions(ctx context.Context, f records.Filter) (string, error) {
	query, values, err := d.Records().decisionQuery(f)
	if err != nil {
		return "", err
	}
	return d.plan(ctx, query, values)
}

func (d *DB) plan(ctx context.Context, query string, values []any) (plan string, err error) {
	err = d.read(ctx, "explain", func(ctx context.Context, in runner) error {
		rows, err := in.query(ctx, "EXPLAIN QUERY PLAN "+query, append(values, 10)...)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id, parent, unused int
			var step string
			if err := rows.Scan(&id, &parent, &unused, &step); err != nil {
				return err
			}
			plan += step + "; "
		}
		return rows.Err()
	})
	return plan, err
}

// Compiled is how many statements are kept compiled; of SQLite alone.
func (d *DB) Compiled() int {
	kept := d.opened.Load().kept
	kept.mu.Lock()
	defer kept.mu.Unlock()
	return len(kept.all)
}

// LoseWriter has the connection that writes be replaced.
func (d *DB) LoseWriter(ctx context.Context) error {
	c, err := d.opened.Load().write.Conn(ctx)
	if err != nil {
		return err
	}
	if err := c.Raw(func(any) error { return driver.ErrBadConn }); !errors.Is(err, driver.ErrBadConn) {
		return fmt.Errorf("the connection is not lost: %w", err)
	}
	return nil
}
