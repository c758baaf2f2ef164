package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

// A driver may say of a call whose context ended that its connection is closed. The caller gave up, and is not told of an outage.
func TestWhoGivesUpIsToldSo(t *testing.T) {
	t.Parallel()
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	late, stop := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer stop()
	for _, lost := range append(closedBySQL(t), pgconn.ErrConnClosed, fmt.Errorf("write failed: %w", driver.ErrBadConn)) {
		if err := failed(canceled, "append", lost); !errors.Is(err, context.Canceled) || errors.Is(err, ErrUnavailable) {
			t.Errorf("given up: %v", err)
		}
		if err := failed(late, "append", lost); !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, ErrUnavailable) {
			t.Errorf("late: %v", err)
		}
		if err := failed(t.Context(), "append", lost); errors.Is(err, context.Canceled) || !errors.Is(err, ErrUnavailable) {
			t.Errorf("lost: %v", err)
		}
	}
	refused := &pgconn.PgError{Code: "53300", Message: "too many clients"}
	if err := failed(canceled, "append", refused); errors.Is(err, context.Canceled) || !errors.Is(err, ErrUnavailable) {
		t.Errorf("what the server said is kept: %v", err)
	}
}

// closedBySQL is what package sql says of a statement, of rows and of connections that were closed under a call.
func closedBySQL(t *testing.T) []error {
	t.Helper()
	db, err := sqliteFile(filepath.Join(t.TempDir(), "smsd.db")).connect(1)
	if err != nil {
		t.Fatal(err)
	}
	one, err := db.Prepare("SELECT 1")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := one.Query()
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(rows.Close(), one.Close()); err != nil {
		t.Fatal(err)
	}
	_, statement := one.Exec()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return []error{statement, rows.Scan(new(int)), db.Ping()}
}
