package sqlstore_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
)

// A file that is removed or replaced while it is in use takes no row, since the row would be gone with the process; put back, it
// does.
func TestAFileThatIsReplaced(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, aside, another := filepath.Join(folder, "smsd.db"), filepath.Join(folder, "aside.db"), filepath.Join(folder, "another.db")
	open(t, sqlstore.Options{File: another})
	db := open(t, sqlstore.Options{File: file})
	if err := append1(t, db, batchOf(1, "rule")); err != nil {
		t.Fatal(err)
	}
	rename(t, file, aside)
	wantsAway(t, db, 2)
	rename(t, another, file)
	wantsAway(t, db, 2)
	rename(t, file, another)
	rename(t, aside, file)
	if err := append1(t, db, batchOf(2, "rule")); err != nil {
		t.Errorf("put back: %v", err)
	}
	if v, _ := count(t, db); v != 2 {
		t.Errorf("%d rows", v)
	}
}

func wantsAway(t *testing.T, db *sqlstore.DB, seq uint64) {
	t.Helper()
	_, _, read := db.Records().Verifications(t.Context(), records.Filter{Limit: 1})
	for call, err := range map[string]error{"append": append1(t, db, batchOf(seq, "rule")), "ping": db.Ping(t.Context()), "read": read} {
		if !errors.Is(err, sqlstore.ErrUnavailable) {
			t.Errorf("%s: %v", call, err)
		}
	}
}

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}
