package sqlstore

import (
	"context"
	"database/sql"
)

// tx is a transaction. Statements have ? for a value, in either dialect, and nowhere else.
type tx struct {
	dialect dialect
	sql     *sql.Tx
}

// exec runs a statement and returns how many rows it changed.
func (t tx) exec(ctx context.Context, statement string, values ...any) (int64, error) {
	return affected(t.sql.ExecContext(ctx, t.dialect.text(statement), values...))
}

func affected(r sql.Result, err error) (int64, error) {
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

func (t tx) row(ctx context.Context, statement string, values ...any) *sql.Row {
	return t.sql.QueryRowContext(ctx, t.dialect.text(statement), values...)
}

func (t tx) query(ctx context.Context, statement string, values ...any) (*sql.Rows, error) {
	return t.sql.QueryContext(ctx, t.dialect.text(statement), values...)
}
