package sqlstore_test

import (
	"path/filepath"
	"testing"

	"smsd/internal/secret"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// openSQLite returns an empty database in a file of its own.
func openSQLite(t testing.TB) *sqlstore.DB {
	t.Helper()
	return open(t, sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")})
}

// postgresDatabases returns what opens empty databases of one server.
func postgresDatabases(t testing.TB) func(t testing.TB) *sqlstore.DB {
	t.Helper()
	server := testserver.Postgres(t)
	migrated := server.Database(t, "")
	db := open(t, postgresOptions(migrated))
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return func(t testing.TB) *sqlstore.DB { return open(t, postgresOptions(server.Database(t, migrated))) }
}

func postgresOptions(url string) sqlstore.Options {
	return sqlstore.Options{URL: secret.New(url), PoolSize: 5}
}

func open(t testing.TB, o sqlstore.Options) *sqlstore.DB {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// execute runs a statement on the tables of a database, past the store.
func execute(t testing.TB, o sqlstore.Options, statement string) {
	t.Helper()
	if err := unopened(t, o).Execute(t.Context(), statement); err != nil {
		t.Fatal(err)
	}
}

func lockMigrations(t testing.TB, o sqlstore.Options) (unlock func()) {
	t.Helper()
	release, err := unopened(t, o).LockMigrations(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if err := release(); err != nil {
			t.Error(err)
		}
	}
}
