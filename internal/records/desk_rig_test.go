package records_test

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"smsd/internal/address"
	"smsd/internal/keyring"
	"smsd/internal/phone"
	"smsd/internal/records"
	"smsd/internal/store/sqlstore"
)

// deskStart is the instant at which every test begins.
var deskStart = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)

// deskRig is a desk over rows in SQLite that a test puts there, with a clock that stands.
type deskRig struct {
	*testing.T
	*records.Desk
	rows *deskRows
	keys *records.Keys
	now  time.Time
}

// deskRows are the real ones behind a switch.
type deskRows struct {
	sqlstore.Records
	away error // of every look and every erasure, if there is one
	seq  uint64
}

func newDeskRows(t *testing.T) *deskRows {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Options{File: filepath.Join(t.TempDir(), "smsd.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return &deskRows{Records: db.Records()}
}

func (r *deskRows) Verification(ctx context.Context, id string) (records.Verification, error) {
	if r.away != nil {
		return records.Verification{}, r.away
	}
	return r.Records.Verification(ctx, id)
}

func (r *deskRows) Verifications(ctx context.Context, f records.Filter) ([]records.Verification, records.Cursor, error) {
	if r.away != nil {
		return nil, records.Cursor{}, r.away
	}
	return r.Records.Verifications(ctx, f)
}

func (r *deskRows) Erase(ctx context.Context, phones []records.Hash) (records.Erased, error) {
	if r.away != nil {
		return records.Erased{}, r.away
	}
	return r.Records.Erase(ctx, phones)
}

// deskID is the nth sms_id.
func deskID(n int) string { return fmt.Sprintf("00000000-0000-4000-8000-%012d", n) }

func newDeskRig(t *testing.T, change ...func(*records.DeskOptions)) *deskRig {
	t.Helper()
	r := &deskRig{T: t, rows: newDeskRows(t), keys: deskKeys(t, "a"), now: deskStart}
	o := records.DeskOptions{Reader: r.rows, Keeper: r.rows, Keys: r.keys, Now: func() time.Time { return r.now }}
	for _, f := range change {
		f(&o)
	}
	var err error
	if r.Desk, err = records.NewDesk(o); err != nil {
		t.Fatal(err)
	}
	r.keys = o.Keys
	return r
}

// deskKeys are from secrets in rotation, newest first, each of one letter.
func deskKeys(t *testing.T, letters ...string) *records.Keys {
	t.Helper()
	var secrets [][]byte
	for _, letter := range letters {
		secrets = append(secrets, bytes.Repeat([]byte(letter), 32))
	}
	root, err := keyring.New(secrets)
	if err != nil {
		t.Fatal(err)
	}
	keys, err := records.NewKeys(root)
	if err != nil {
		t.Fatal(err)
	}
	return keys
}

const (
	alice = "+8613800138000"
	bob   = "+447400123456"
)

// whom hashes with keys.
func whom(keys *records.Keys, number, ip, device string) records.Whom {
	a, _ := address.Parse(ip)
	return keys.Whom(phone.MustParse(number), a, device)
}

// verification puts the nth row there, n seconds after the start, and returns it.
func (r *deskRig) verification(n int, number string, change ...func(*records.Verification)) records.Verification {
	r.Helper()
	v := r.accepted(n, number)
	for _, f := range change {
		f(&v)
	}
	r.append(records.Batch{Verifications: []records.Verification{v}})
	return v
}

// accepted is the nth row.
func (r *deskRig) accepted(n int, number string) records.Verification {
	r.Helper()
	p := phone.MustParse(number)
	sealed, err := r.keys.Seal(deskID(n), p)
	if err != nil {
		r.Fatal(err)
	}
	at := deskStart.Add(time.Duration(n) * time.Second)
	return records.Verification{
		SMSID: deskID(n), App: "shop", Scene: "login", RequestID: "request-" + deskID(n), Country: p.Country(), Prefix: p.Prefix(),
		Whom: whom(r.keys, number, "203.0.113.9", "device-of-"+number), Sealed: sealed, PolicyVersion: "v1",
		CreatedAt: at, ExpiresAt: at.Add(5 * time.Minute), Fate: records.Fate{Gateway: "mock", Delivery: "accepted", Segments: 1},
	}
}

// decision puts a refusal there, n seconds after the start.
func (r *deskRig) decision(n int, number string, change ...func(*records.Decision)) {
	r.Helper()
	d := r.refused(n, number)
	for _, f := range change {
		f(&d)
	}
	r.append(records.Batch{Decisions: []records.Decision{d}})
}

// refused is the nth refusal.
func (r *deskRig) refused(n int, number string) records.Decision {
	p := phone.MustParse(number)
	return records.Decision{
		At: deskStart.Add(time.Duration(n) * time.Second), RequestID: "refused-" + deskID(n), App: "shop", Action: "send", Scene: "login",
		Outcome: "rate_limited", Country: p.Country(), Prefix: p.Prefix(), Whom: whom(r.keys, number, "203.0.113.9", "device-of-"+number),
		Rule: "cooldown", Used: 1, Limit: 1, Shadow: []string{"net-burst"}, PolicyVersion: "v1", Folded: 3,
	}
}

// fill puts so many verifications and refusals there.
func (r *deskRig) fill(verifications, decisions int) {
	r.Helper()
	var b records.Batch
	for n := range verifications {
		b.Verifications = append(b.Verifications, r.accepted(n, alice))
	}
	for n := range decisions {
		b.Decisions = append(b.Decisions, r.refused(n, alice))
	}
	r.append(b)
}

func (r *deskRig) append(b records.Batch) {
	r.Helper()
	r.rows.seq++
	b.Writer, b.Seq = "test", r.rows.seq
	if err := r.rows.Append(r.Context(), b); err != nil {
		r.Fatal(err)
	}
}

// search makes one of pairs.
func (r *deskRig) search(of records.Listing, pairs ...string) records.Search {
	r.Helper()
	s, err := r.Search(of, texts(pairs...))
	if err != nil {
		r.Fatal(err)
	}
	return s
}

func texts(pairs ...string) map[string]string {
	all := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		all[pairs[i]] = pairs[i+1]
	}
	return all
}

// ids are the sms_ids of the first page.
func (r *deskRig) ids(pairs ...string) []string {
	r.Helper()
	p, err := r.Verifications(r.Context(), r.search(records.OfVerifications, pairs...), "", records.MaxPage)
	if err != nil {
		r.Fatal(err)
	}
	all := []string{}
	for _, v := range p.Rows {
		all = append(all, v.SMSID)
	}
	return all
}
