package sqlstore_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
)

// Compiled statements are few, whatever is written, and go on where the schema has changed or their connection was lost.
func TestCompiledStatements(t *testing.T) {
	t.Parallel()
	o := sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")}
	db, random, seq, rows := open(t, o), rand.New(rand.NewPCG(1, 2)), uint64(0), 0
	write := func(sends int) {
		t.Helper()
		seq++
		batch := sendsOf(random, sends)
		batch.Verifications = append(batch.Verifications, sendsOf(random, sends).Verifications...) // of which nothing is told
		batch.Changes = append(batch.Changes, sendsOf(random, sends).Changes...)                   // whose rows are to come
		for i := range batch.Decisions {
			if seq != 2 { // without handles a batch is written otherwise
				batch.Handles = append(batch.Handles, records.Handle{Gateway: "main", ProviderID: fmt.Sprint(seq, i), SMSID: batch.Decisions[i].SMSID})
			}
		}
		batch.Writer, batch.Seq = "writer", seq
		if err := db.Records().Append(t.Context(), batch); err != nil {
			t.Fatal(err)
		}
		rows += 2 * sends
	}
	write(127)                // 64 and 32 and so on to 1
	write(1)                  // only now all are compiled
	const kinds, sizes = 5, 7 // rows whole and alone, changes, decisions and handles; of 1 to 64
	if n := db.Compiled(); n != 1+kinds*sizes {
		t.Errorf("%d statements are kept", n)
	}
	execute(t, o, "CREATE INDEX another ON verifications (country)")
	write(3)
	if err := db.LoseWriter(t.Context()); err != nil {
		t.Fatal(err)
	}
	write(3)
	if n := db.Compiled(); n != 1+kinds*sizes {
		t.Errorf("%d statements are kept later", n)
	}
	if found, _ := count(t, db); found != rows {
		t.Errorf("%d rows of %d", found, rows)
	}
}
