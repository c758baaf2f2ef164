package sqlstore

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"

	"smsd/internal/records"
)

// ErrUnavailable is a database that does not answer, was not reached yet, or is full or busy. Of a call that writes,
// nobody can tell whether it was executed.
var ErrUnavailable = errors.New("the database is not available")

// answer is an error that an interface promises, as ErrNotFound: it comes back as it is.
type answer struct{ error }

// failed is the error of what was tried under ctx. It keeps what cannot hold a value of a row, and unwraps to [ErrUnavailable],
// to [records.ErrContent], to the end of a context or to an answer; never to a driver's error.
func failed(ctx context.Context, what string, err error) error {
	if a, ok := errors.AsType[answer](err); ok {
		return a.error
	}
	if end := ctx.Err(); end != nil && isLost(err) {
		err = end // its end is what closed the connection
	}
	text, passes := explain(err)
	switch {
	case errors.Is(err, ErrUnavailable):
		return fmt.Errorf("%s: %w", what, err)
	case errors.Is(err, context.Canceled):
		return fmt.Errorf("%s: %w", what, context.Canceled)
	case errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w: %w", what, ErrUnavailable, context.DeadlineExceeded)
	case passes:
		return fmt.Errorf("%s: %w: %s", what, ErrUnavailable, text)
	case isContent(err):
		return fmt.Errorf("%s: %w: %s", what, records.ErrContent, text)
	}
	return fmt.Errorf("%s: %s", what, text)
}

// isContent says whether the database refuses what is in a row, and would again.
func isContent(err error) bool {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return isContentOfPostgres(e)
	}
	e, ok := errors.AsType[*sqlite.Error](err)
	return ok && isContentOfSQLite(e.Code())
}

// explain returns what may be said of an error, and whether it may pass.
func explain(err error) (text string, passes bool) {
	if e, ok := errors.AsType[*pgconn.PgError](err); ok {
		return explainPostgres(e)
	}
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return "SQLite: " + e.Error(), sqlitePasses(e.Code())
	}
	if e, ok := errors.AsType[*pgconn.ConnectError](err); ok {
		return explainConnect(e)
	}
	if _, ok := errors.AsType[net.Error](err); ok || pgconn.SafeToRetry(err) {
		return oneLine(err.Error()), true
	}
	if isLost(err) {
		return "the connection is lost", true
	}
	return oneLine(err.Error()), false
}

// isLost says whether a call found its connection closed, or what it had open there, by whomever.
func isLost(err error) bool {
	for _, lost := range []error{io.EOF, io.ErrUnexpectedEOF, net.ErrClosed, pgconn.ErrConnClosed, driver.ErrBadConn, sql.ErrConnDone, sql.ErrTxDone} {
		if errors.Is(err, lost) {
			return true
		}
	}
	return isClosed(err)
}

// isClosed is isLost of what package sql has closed itself, as it does with a transaction whose context ends. It has no errors for it.
func isClosed(err error) bool {
	if err == nil {
		return false
	}
	for _, text := range []string{"sql: statement is closed", "sql: Rows are closed", "sql: database is closed"} {
		if strings.Contains(err.Error(), text) {
			return true
		}
	}
	return false
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
