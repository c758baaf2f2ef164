package sqlstore

import (
	"context"
	"database/sql"
)

// runner is where statements run: the connections, or a transaction. Statements have ? for a value, in either dialect,
// and nowhere else.
type runner struct {
	dialect dialect
	on      interface {
		ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
		QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	}
}

// exec runs a statement and returns how many rows it changed.
func (r runner) exec(ctx context.Context, statement string, values ...any) (int64, error) {
	return changedBy(r.on.ExecContext(ctx, r.dialect.text(statement), values...))
}

// all runs statements one after the other, up to the first that fails.
func (r runner) all(ctx context.Context, statements []statement) error {
	for _, s := range statements {
		if _, err := r.exec(ctx, s.text, s.values...); err != nil {
			return err
		}
	}
	return nil
}

// changedBy is how many rows a statement changed.
func changedBy(done sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return done.RowsAffected()
}

func (r runner) row(ctx context.Context, statement string, values ...any) *sql.Row {
	return r.on.QueryRowContext(ctx, r.dialect.text(statement), values...)
}

func (r runner) query(ctx context.Context, statement string, values ...any) (*sql.Rows, error) {
	return r.on.QueryContext(ctx, r.dialect.text(statement), values...)
}
