package sqlstore_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"smsd/internal/apikey"
	"smsd/internal/idempotency"
	"smsd/internal/proof"
	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
)

// Each version of the schema has a file of what a database of that version may hold, testdata/versions/N.sql. From each
// the database is brought up to date, and holds the same then. A new step needs a new file, which may hold more.
func TestEveryEarlierVersionIsBroughtUpToDateWithItsData(t *testing.T) {
	t.Parallel()
	for name, empty := range empties(t) {
		t.Run(name, func(t *testing.T) {
			_, latest := steps(t, unopened(t, empty(t)))
			for version := 1; version <= latest; version++ {
				t.Run(strconv.Itoa(version), func(t *testing.T) {
					o := empty(t)
					if err := unopened(t, o).MigrateTo(t.Context(), int64(version)); err != nil {
						t.Fatal(err)
					}
					execute(t, o, heldBy(t, version, o))
					db := open(t, o)
					holds(t, db)
					if version >= 2 {
						fillsIn(t, db)
					}
				})
			}
		})
	}
}

var hexadecimal = regexp.MustCompile(`HEX\((\w*)\)`)

// heldBy returns the statements that fill a database of a version.
func heldBy(t *testing.T, version int, o sqlstore.Options) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "versions", strconv.Itoa(version)+".sql"))
	if err != nil {
		t.Fatalf("version %d has no data to be tested with: %v", version, err)
	}
	as := "X'$1'"
	if o.File == "" {
		as = `'\x$1'`
	}
	return hexadecimal.ReplaceAllString(string(text), as)
}

// holds looks for what is in the file of version 1, and in those since.
func holds(t *testing.T, db *sqlstore.DB) {
	t.Helper()
	ctx := t.Context()
	ms := func(n int64) time.Time { return time.UnixMilli(n).UTC() }
	phone := records.Hash{1}
	v, err := db.Records().Verification(ctx, "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69")
	same(t, err, v, records.Verification{
		SMSID: "0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a69", App: "default", Scene: "login", RequestID: "request-1", Country: "CN", Prefix: "+861380013",
		Whom: records.Whom{Phone: phone, Host: records.Hash{2}, Network: records.Hash{3}}, Sealed: []byte{1, 0xaa, 0xbb, 0xcc, 0xdd}, PolicyVersion: "v1",
		CreatedAt: ms(1796018400123), ExpiresAt: ms(1796018700123), Fate: records.Fate{Gateway: "main", Delivery: "accepted", Segments: 1, CostMicros: 45_000,
			Currency: "CNY", DeliveredAt: ms(1796018401000), VerifiedAt: ms(1796018402000), Resends: 2, ResentAt: ms(1796018403000)},
	})
	decisions, _, err := db.Records().Decisions(ctx, records.Filter{Phones: []records.Hash{phone}, Limit: 10})
	same(t, err, decisions, []records.Decision{{
		At: ms(1796018400123), RequestID: "request-1", App: "default", Action: "send", Scene: "login", Outcome: "rate_limited", Country: "CN", Prefix: "+861380013",
		Whom: records.Whom{Phone: phone}, Rule: "login/hour", Used: 4, Limit: 4, Shadow: []string{"strict", "new"}, PolicyVersion: "v1", Folded: 17,
	}})
	keys, _, err := db.Keys().All(ctx, 10)
	same(t, err, keys, []apikey.Record{{ID: "k_1", App: "shop", Kind: apikey.Publishable, Name: "the shop", Origins: []string{"https://shop.example"},
		Hint: "x9Q2", Hash: [32]byte{9}, CreatedAt: ms(1796018400123), LastUsedAt: ms(1796018500000)}})
	entry, err := db.Idempotency().Find(ctx, idempotency.ID{10}, ms(1796018400123))
	same(t, err, entry, idempotency.Entry{ID: idempotency.ID{10}, Content: [16]byte{11}, Answer: []byte{0xff}, StartedAt: ms(1796018400123), ExpiresAt: ms(1796104800123)})
	if err := db.Proofs().Consume(ctx, "jti-1", "default", time.Now()); !errors.Is(err, proof.ErrConsumed) {
		t.Errorf("the token: %v", err)
	}
	writtenBefore(t, ctx, db)
}

// writtenBefore hands over a batch that stands there as written.
func writtenBefore(t *testing.T, ctx context.Context, db *sqlstore.DB) {
	t.Helper()
	batch := records.Batch{Writer: "writer-a", Seq: 7, Verifications: []records.Verification{{SMSID: "again", CreatedAt: time.Now()}}}
	if err := db.Records().Append(ctx, batch); err != nil {
		t.Error(err)
	}
	if _, err := db.Records().Verification(ctx, "again"); !errors.Is(err, records.ErrNotFound) {
		t.Errorf("a batch was written again: %v", err)
	}
}

// fillsIn writes the verification whose verify came before it.
func fillsIn(t *testing.T, db *sqlstore.DB) {
	t.Helper()
	const id = "5d9f0c3e-1b2a-4c7d-8e6f-a0b1c2d3e4f5"
	row := records.Verification{SMSID: id, App: "default", CreatedAt: time.UnixMilli(1796018400000).UTC(), ExpiresAt: time.UnixMilli(1796018700000).UTC()}
	if err := append1(t, db, records.Batch{Writer: "writer-b", Seq: 1, Verifications: []records.Verification{row}}); err != nil {
		t.Error(err)
	}
	row.Fate = records.Fate{VerifiedAt: time.UnixMilli(1796018402000).UTC(), Resends: 1}
	v, err := db.Records().Verification(t.Context(), id)
	same(t, err, v, row)
}

func same(t *testing.T, err error, got, want any) {
	t.Helper()
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

// The two dialects have the same steps, and in them the same tables.
func TestTheDialectsAreAlike(t *testing.T) {
	t.Parallel()
	tables := func(dialect string) map[string][]string {
		found := map[string][]string{}
		files, err := filepath.Glob("../../../migrations/" + dialect + "/*.sql")
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", dialect, files, err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			found[filepath.Base(file)] = words(string(text))
		}
		return found
	}
	if sqlite, postgres := tables("sqlite"), tables("postgres"); !reflect.DeepEqual(sqlite, postgres) {
		t.Errorf("SQLite has %v\nPostgreSQL has %v", sqlite, postgres)
	}
}

// words are the names of tables, of their columns and of indexes, in their order.
func words(text string) []string {
	var all []string
	for line := range strings.Lines(text) {
		switch fields := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ";")); {
		case strings.HasPrefix(line, "CREATE"):
			all = append(all, strings.Join(fields, " "))
		case strings.HasPrefix(line, "ALTER"):
			all = append(all, strings.Join(fields[:6], " ")) // ADD COLUMN and its name; of types the names differ
		case strings.HasPrefix(line, "    "):
			all = append(all, fields[0])
		}
	}
	return all
}
