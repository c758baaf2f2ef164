package sqlstore

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
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
	for _, lost := range []error{pgconn.ErrConnClosed, fmt.Errorf("write failed: %w", driver.ErrBadConn)} {
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
