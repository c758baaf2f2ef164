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
	db, err := sqlstore.Open(t.Context(), sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")})
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
