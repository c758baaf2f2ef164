package httpapi

import (
	"path/filepath"
	"testing"

	"smsd/internal/idempotency"
	"smsd/internal/store/sqlstore"
)

// openEntries returns an empty place for entries, in a file of the test's own.
func openEntries(t testing.TB) idempotency.Store {
	t.Helper()
	return openEntriesIn(t, t.TempDir())
}

// openEntriesIn is openEntries with the file in folder.
func openEntriesIn(t testing.TB, folder string) idempotency.Store {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Options{File: filepath.Join(folder, "smsd.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db.Idempotency()
}
