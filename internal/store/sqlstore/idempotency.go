package sqlstore

import (
	"context"
	"time"

	"smsd/internal/idempotency"
)

// Idempotency is the store of requests under a key. See [DB.Idempotency].
type Idempotency struct {
	db    *DB
	table table[idempotency.Entry]
}

var _ idempotency.Store = Idempotency{}

// Idempotency returns the driver of package idempotency.
func (d *DB) Idempotency() Idempotency { return Idempotency{d, entryTable()} }

func entryTable() table[idempotency.Entry] {
	type e = idempotency.Entry
	return newTable(
		field[e]{column{"id", bytesKind}, func(r *e) cell { return fixedCell{r.ID[:]} }},
		field[e]{column{"content", bytesKind}, func(r *e) cell { return fixedCell{r.Content[:]} }},
		text("sms_id", func(r *e) *string { return &r.SMSID }),
		bytes("answer", func(r *e) *[]byte { return &r.Answer }),
		instant("started_at", func(r *e) *time.Time { return &r.StartedAt }),
		instant("expires_at", func(r *e) *time.Time { return &r.ExpiresAt }),
	)
}

// Find implements [idempotency.Store].
func (i Idempotency) Find(ctx context.Context, id idempotency.ID, now time.Time) (idempotency.Entry, error) {
	var found []idempotency.Entry
	err := i.db.read(ctx, "find a request", func(ctx context.Context, t runner) (err error) {
		found, err = i.table.read(t.query(ctx, "SELECT "+i.table.names+" FROM idempotency WHERE id = ? AND expires_at > ?", id[:], now.UnixMilli()))
		return err
	})
	if err != nil {
		return idempotency.Entry{}, err
	}
	if len(found) == 0 {
		return idempotency.Entry{}, idempotency.ErrNotFound
	}
	return found[0], nil
}

// Begin implements [idempotency.Store].
func (i Idempotency) Begin(ctx context.Context, e idempotency.Entry, now time.Time) error {
	return i.db.write(ctx, "begin a request", func(ctx context.Context, t runner) error {
		s := i.table.statement(t.dialect, []idempotency.Entry{e}, func(source string) string {
			return "INSERT INTO idempotency (" + i.table.names + ") " + source + `
ON CONFLICT (id) DO UPDATE SET content = excluded.content, sms_id = excluded.sms_id, answer = excluded.answer,
	started_at = excluded.started_at, expires_at = excluded.expires_at
WHERE idempotency.expires_at <= ?`
		})
		return one(t.exec(ctx, s.text, append(s.values, now.UnixMilli())...))(idempotency.ErrExists)
	})
}

// Finish implements [idempotency.Store].
func (i Idempotency) Finish(ctx context.Context, id idempotency.ID, answer []byte, until time.Time) error {
	return i.db.write(ctx, "finish a request", func(ctx context.Context, t runner) error {
		_, err := t.exec(ctx, "UPDATE idempotency SET answer = ?, expires_at = ? WHERE id = ?", answer, until.UnixMilli(), id[:])
		return err
	})
}

// Forget implements [idempotency.Store].
func (i Idempotency) Forget(ctx context.Context, e idempotency.Entry) error {
	return i.db.write(ctx, "forget a request", func(ctx context.Context, t runner) error {
		_, err := t.exec(ctx, "DELETE FROM idempotency WHERE id = ? AND started_at = ? AND sms_id = ? AND answer IS NULL",
			e.ID[:], e.StartedAt.UnixMilli(), e.SMSID)
		return err
	})
}

// Purge implements [idempotency.Store].
func (i Idempotency) Purge(ctx context.Context, now time.Time, limit int) (removed int64, err error) {
	err = i.db.write(ctx, "purge requests", func(ctx context.Context, t runner) (err error) {
		removed, err = t.exec(ctx, `DELETE FROM idempotency WHERE id IN (
	SELECT id FROM idempotency WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, now.UnixMilli(), max(limit, 0))
		return err
	})
	return removed, err
}
