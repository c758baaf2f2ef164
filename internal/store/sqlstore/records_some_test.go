package sqlstore_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
	"smsd/internal/testserver"
)

// mixed is a batch of rows of every kind, of which the decisions of these numbers are what an obstacle refuses.
func mixed(rows int, bad ...int) records.Batch {
	now := time.Now().UTC().Truncate(time.Millisecond)
	b := records.Batch{Writer: "mixed", Seq: 1}
	for n := range rows {
		id := fmt.Sprintf("mixed-%d", n)
		b.Verifications = append(b.Verifications, records.Verification{SMSID: id, CreatedAt: now, ExpiresAt: now.Add(time.Minute)})
		b.Changes = append(b.Changes, records.Change{SMSID: id, Fate: records.Fate{Resends: 1}})
		b.Handles = append(b.Handles, records.Handle{Gateway: "main", ProviderID: id, SMSID: id, Fate: records.Fate{Billed: records.Bill{Segments: 1}}})
		b.Decisions = append(b.Decisions, records.Decision{At: now, RequestID: id})
	}
	for _, n := range bad {
		b.Decisions[n].Rule, b.Decisions[n].Prefix = "obstacle", "+861380013"
	}
	return b
}

// wantMixed demands that every row is there once, but for so many decisions.
func wantMixed(t *testing.T, db *sqlstore.DB, rows, without int) {
	t.Helper()
	if v, d := count(t, db); v != rows || d != rows-without {
		t.Errorf("%d verifications and %d decisions of %d", v, d, rows)
	}
	all, _, err := db.Records().Verifications(t.Context(), records.Filter{Limit: records.MaxPage})
	for _, one := range all {
		if one.Fate.Resends != 1 || one.Fate.Billed.Segments != 1 {
			t.Errorf("%s: %+v, %v", one.SMSID, one.Fate, err)
		}
	}
}

// Rows that the database refuses for what is in them are told from the others, which are written with the batch's number, once.
// Nothing is kept where what is refused can't be set aside.
func TestRowsThatAreRefused(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := empty(t)
			db := open(t, o)
			execute(t, o, obstacles[name][0])
			const rows = 100
			b := mixed(rows, 0, 41, 99)
			err := append1(t, db, b)
			if !errors.Is(err, records.ErrContent) || errors.Is(err, sqlstore.ErrUnavailable) {
				t.Fatal(err)
			}
			full := errors.New("no room")
			if err := db.Records().AppendSome(t.Context(), b, func(records.Batch, error) error { return full }); err == nil || errors.Is(err, records.ErrContent) {
				t.Errorf("nowhere to set aside: %v", err)
			}
			wantMixed(t, db, 0, 0)
			calls := 0
			for range 2 { // the second time it was written before
				err := db.Records().AppendSome(t.Context(), b, func(refused records.Batch, why error) error {
					calls++
					if d := refused.Decisions; refused.Rows() != 3 || d[0].RequestID != "mixed-0" || d[1].RequestID != "mixed-41" || d[2].RequestID != "mixed-99" {
						t.Errorf("%d rows are refused: %+v", refused.Rows(), refused)
					}
					if !errors.Is(why, records.ErrContent) || strings.Contains(fmt.Sprintf("%v %+v", why, why), "+86138") {
						t.Errorf("why: %v", why)
					}
					return nil
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if calls != 1 {
				t.Errorf("set aside %d times", calls)
			}
			wantMixed(t, db, rows, 3)
			if err := append1(t, db, b); err != nil {
				t.Errorf("the batch does not count as written: %v", err)
			}
			execute(t, o, obstacles[name][1])
			b = mixed(rows)
			b.Seq++
			b.Verifications, b.Changes, b.Handles, b.Decisions = nil, nil, nil, b.Decisions[:3]
			if err := db.Records().AppendSome(t.Context(), b, nil); err != nil {
				t.Errorf("nothing to refuse: %v", err)
			}
			wantMixed(t, db, rows, 0)
		})
	}
}

// What PostgreSQL would check only as a batch is committed is refused row by row too, or the batch would be refused whole, for ever.
func TestARowThatTheCommitRefuses(t *testing.T) {
	t.Parallel()
	o := postgresOptions(testserver.Postgres(t).Database(t, ""))
	db := open(t, o)
	obstacle := strings.Replace(obstacles["Postgres"][0], "CREATE TRIGGER obstacle BEFORE INSERT ON decisions",
		"CREATE CONSTRAINT TRIGGER obstacle AFTER INSERT ON decisions DEFERRABLE INITIALLY DEFERRED", 1)
	execute(t, o, obstacle)
	b := mixed(10, 3)
	if err := append1(t, db, b); !errors.Is(err, records.ErrContent) {
		t.Fatal(err)
	}
	refused := 0
	err := db.Records().AppendSome(t.Context(), b, func(some records.Batch, _ error) error { refused = some.Rows(); return nil })
	if err != nil || refused != 1 {
		t.Errorf("%d rows are refused, %v", refused, err)
	}
	wantMixed(t, db, 10, 1)
}

// An encoding that has not what is in a row is about that row; a table that is not there, or a disk that is full, is about none.
func TestWhatIsAboutARow(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := empty(t)
			db := open(t, o)
			execute(t, o, "ALTER TABLE decisions ADD COLUMN more INTEGER NOT NULL DEFAULT 1 CHECK (folded < 5)")
			b := mixed(2)
			b.Decisions[1].Folded = 7
			if err := append1(t, db, b); !errors.Is(err, records.ErrContent) {
				t.Errorf("a constraint: %v", err)
			}
			execute(t, o, "ALTER TABLE decisions RENAME TO renamed")
			if err := append1(t, db, b); err == nil || errors.Is(err, records.ErrContent) {
				t.Errorf("no table: %v", err)
			}
			if err := db.Records().AppendSome(t.Context(), b, func(records.Batch, error) error { t.Error("set aside"); return nil }); err == nil {
				t.Error("no table: no error")
			}
		})
	}
}
