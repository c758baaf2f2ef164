package sqlstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/pressly/goose/v3"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"smsd/migrations"
)

const (
	// sqliteReaders is connections that read: listings are rare, and each has a cache of its own.
	sqliteReaders = 4
	// sqliteRows is how many rows go into one statement: more gain little, as measured with BenchmarkAppend. 30 values a row
	// stay far below SQLite's limit of 32,766.
	sqliteRows = 64
)

// newSQLite returns the dialect of a file. It touches nothing.
func newSQLite(o Options) (dialect, error) {
	if o.File == "" {
		return dialect{}, errors.New("sqlstore: neither a URL nor a file")
	}
	path, err := filepath.Abs(o.File)
	if err != nil {
		return dialect{}, fmt.Errorf("data_dir: %w", err)
	}
	f := sqliteFile(path)
	return dialect{
		goose:        goose.DialectSQLite3,
		migrations:   migrations.SQLite(),
		exists:       "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = ?",
		sealedWith:   "lower(hex(substr(sealed, 2, 4)))",
		rows:         valuesOf,
		values:       flat,
		perStatement: sqliteRows,
		once:         onceInSQLite,
		erased:       emptyLog,
		open:         f.open,
		look:         f.look,
		checks:       f.checks(),
		migrator:     f.migrator,
		made:         f.exists,
	}, nil
}

// valuesOf is the source of rows, each value by itself.
func valuesOf(columns []column, rows int) string {
	row := "(?" + strings.Repeat(", ?", len(columns)-1) + ")"
	return "VALUES " + row + strings.Repeat(", "+row, rows-1)
}

// onceInSQLite is SQLite's once: one statement after the other.
func onceInSQLite(ctx context.Context, d dialect, p *pools, count []any, rest []statement) error {
	return appending(ctx, d, p, count, func(in runner) error { return in.all(ctx, rest) })
}

// flat is the values of valuesOf, row by row.
func flat(columns []column, rows int, at func(row, column int) cell) []any {
	values := make([]any, 0, len(columns)*rows)
	for row := range rows {
		for column := range columns {
			values = append(values, at(row, column).value())
		}
	}
	return values
}

// sqliteFile is the path of the database.
type sqliteFile string

func (f sqliteFile) exists() (bool, error) {
	_, err := os.Stat(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// create makes the file for its owner alone: SQLite gives its companions the same mode. It gets its name once it was
// closed, since closing a file that SQLite has open in the same process would take SQLite's locks away.
func (f sqliteFile) create() error {
	if there, err := f.exists(); there || err != nil {
		return err
	}
	folder := filepath.Dir(string(f))
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	made, err := os.CreateTemp(folder, ".smsd-*.db") // 0600
	if err != nil {
		return err
	}
	defer os.Remove(made.Name())
	if err := made.Close(); err != nil {
		return err
	}
	if err := os.Link(made.Name(), string(f)); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil // another process was first
}

// all are the settings of every connection to the database.
func (f sqliteFile) all() []string {
	return []string{
		"_journal_mode=WAL", "_synchronous=FULL", "_foreign_keys=on", "_defensive=1", "_dqs=0",
		"_pragma=secure_delete(1)", "_pragma=journal_size_limit(67108864)", "_pragma=temp_store(MEMORY)",
	}
}

// connect returns connections with the given settings beside those of any file. They are made when first used.
func (f sqliteFile) connect(size int, settings ...string) (*sql.DB, error) {
	path := filepath.ToSlash(string(f))
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // as of a Windows drive
	}
	settings = append([]string{"_busy_timeout=10000", "_error_rc=1"}, settings...)
	connector, err := sqlite.NewConnector((&url.URL{Scheme: "file", Path: path, RawQuery: strings.Join(settings, "&")}).String())
	if err != nil {
		return nil, err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(size)
	db.SetMaxIdleConns(size)
	return db, nil
}

// writer returns the one connection that writes: a transaction takes the lock as it begins, and waits for it there. Its cache
// of 16 MB saves a third of the CPU time of a batch, once the indexes are larger than the 2 MB of SQLite's own; more gains no more
// (BenchmarkAppend).
func (f sqliteFile) writer() (*sql.DB, error) {
	return f.connect(1, append(f.all(), "_txlock=immediate", "_pragma=cache_size(-16000)")...)
}

func (f sqliteFile) open(context.Context) (*pools, error) {
	// As SQLite does where it is built for the platform: fsync would write the file's times too, which nobody needs. Where
	// there is no fdatasync it stays fsync.
	_, _ = sqlite.Fdatasync(true)
	write, err := f.writer()
	if err != nil {
		return nil, err
	}
	read, err := f.connect(sqliteReaders, append(f.all(), "_query_only=1")...)
	if err != nil {
		return nil, errors.Join(err, write.Close())
	}
	opened, err := os.Stat(string(f))
	if err != nil {
		return nil, errors.Join(err, write.Close(), read.Close())
	}
	return &pools{write: write, read: read, kept: newPrepared(write), still: func() error { return f.still(opened) }}, nil
}

// emptyLog moves what the write-ahead log holds into the file, and cuts the log off: old rows may stand there too. It waits for
// readers, and lets be what one of them needs longer; the log is written over in time anyway.
func emptyLog(ctx context.Context, p *pools) error {
	_, err := p.write.ExecContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)")
	return err
}

// look returns a connection that changes nothing, not even how the file is written.
func (f sqliteFile) look(context.Context) (*sql.DB, error) {
	return f.connect(1, "_query_only=1")
}

// sqlitePasses says whether what ended with this code may succeed later.
func sqlitePasses(code int) bool {
	switch code & 0xff { // the rest tells more of the same
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT:
		return true
	}
	return false
}

// isContentOfSQLite says whether this code is about a value of a row: a constraint or a trigger, a type, a length.
func isContentOfSQLite(code int) bool {
	switch code & 0xff {
	case sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG:
		return true
	}
	return false
}
