package httpapi

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/address"
	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
)

// archive is rows in SQLite, and a desk over them that can be cut off.
type archive struct {
	testing.TB
	store records.Store
	keys  *records.Keys
	desk  *records.Desk
	gone  atomic.Pointer[error] // of every look, if there is one
	looks atomic.Int64
	hook  func(records.Filter) // called before each; nil: nothing is
	late  string               // an sms_id whose row may be on its way
	seq   uint64
}

// cutReader is the rows behind a switch.
type cutReader struct {
	records.Reader
	*archive
}

func (c cutReader) away(f records.Filter) error {
	c.looks.Add(1)
	if c.hook != nil {
		c.hook(f)
	}
	if err := c.gone.Load(); err != nil {
		return *err
	}
	return nil
}

func (c cutReader) Verification(ctx context.Context, id string) (records.Verification, error) {
	if err := c.away(records.Filter{SMSID: id}); err != nil {
		return records.Verification{}, err
	}
	return c.Reader.Verification(ctx, id)
}

func (c cutReader) Verifications(ctx context.Context, f records.Filter) ([]records.Verification, records.Cursor, error) {
	if err := c.away(f); err != nil {
		return nil, records.Cursor{}, err
	}
	return c.Reader.Verifications(ctx, f)
}

func (c cutReader) Decisions(ctx context.Context, f records.Filter) ([]records.Decision, records.Cursor, error) {
	if err := c.away(f); err != nil {
		return nil, records.Cursor{}, err
	}
	return c.Reader.Decisions(ctx, f)
}

func (a *archive) cut(err error) { a.gone.Store(&err) }

// newArchive makes one whose clock stands at start.
func newArchive(t testing.TB) *archive {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	root, err := keyring.New([][]byte{bytes.Repeat([]byte("k"), 32)})
	if err != nil {
		t.Fatal(err)
	}
	a := &archive{TB: t, store: db.Records()}
	if a.keys, err = records.NewKeys(root); err != nil {
		t.Fatal(err)
	}
	a.desk, err = records.NewDesk(records.DeskOptions{
		Reader: cutReader{db.Records(), a}, Keeper: db.Records(), Keys: a.keys, Now: func() time.Time { return start },
		Behind: func(_ context.Context, smsID string) bool { return smsID == a.late },
	})
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// use gives the desk to an API.
func (a *archive) use(s *setup) { s.http.Desk = a.desk }

func rowID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func (a *archive) append(b records.Batch) {
	a.Helper()
	a.seq++
	b.Writer, b.Seq = "test", a.seq
	if err := a.store.Append(a.Context(), b); err != nil {
		a.Fatal(err)
	}
}

// whom are the hashes of a number and of the client that request makes requests as.
func (a *archive) whom(number string) records.Whom {
	client, _ := address.Parse("203.0.113.9")
	return a.keys.Whom(phone.MustParse(number), client, "device-1")
}

// row is the nth verification, n seconds before start.
func (a *archive) row(n int, number string) records.Verification {
	a.Helper()
	p := phone.MustParse(number)
	sealed, err := a.keys.Seal(rowID(n), p)
	if err != nil {
		a.Fatal(err)
	}
	at := start.Add(-time.Duration(n) * time.Second)
	return records.Verification{
		SMSID: rowID(n), App: "default", Scene: "login", RequestID: fmt.Sprint("request-", n), Country: p.Country(), Prefix: p.Prefix(),
		Whom: a.whom(number), Sealed: sealed, PolicyVersion: "v1", CreatedAt: at, ExpiresAt: at.Add(5 * time.Minute),
		Fate: records.Fate{Gateway: "mock", Delivery: "accepted", Segments: 1, CostMicros: 45000, Currency: "CNY"},
	}
}

// refusal is the nth decision, n seconds before start.
func (a *archive) refusal(n int, number string) records.Decision {
	p := phone.MustParse(number)
	return records.Decision{
		At: start.Add(-time.Duration(n) * time.Second), RequestID: fmt.Sprint("refused-", n), App: "default", Action: "send", Scene: "login",
		Outcome: "rate_limited", Country: p.Country(), Prefix: p.Prefix(), Whom: a.whom(number), Rule: "cooldown", Used: 1, Limit: 1,
		Shadow: []string{"net-burst"}, PolicyVersion: "v1", Folded: 3,
	}
}

// fill puts so many verifications there.
func (a *archive) fill(rows int) {
	a.Helper()
	var b records.Batch
	for n := range rows {
		b.Verifications = append(b.Verifications, a.row(n, alice))
	}
	a.append(b)
}
