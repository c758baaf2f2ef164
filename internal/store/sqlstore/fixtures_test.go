package sqlstore_test

import (
	"path/filepath"
	"testing"

	"smsd/internal/store/sqlstore"
)

// openSQLite returns an empty database in a file of its own.
func openSQLite(t testing.TB) *sqlstore.DB {
	t.Helper()
	return open(t, sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")})
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
