package sqlstore

import (
	"context"
	"maps"
	"slices"
	"time"

	"smsd/internal/apikey"
)

// Keys is the store of API keys. See [DB.Keys].
type Keys struct {
	db    *DB
	table table[apikey.Record]
}

var _ apikey.Store = Keys{}

// Keys returns the driver of package apikey.
func (d *DB) Keys() Keys { return Keys{d, keyTable()} }

func keyTable() table[apikey.Record] {
	type k = apikey.Record
	return newTable(
		text("id", func(r *k) *string { return &r.ID }),
		text("app", func(r *k) *string { return &r.App }),
		text("kind", func(r *k) *string { return (*string)(&r.Kind) }),
		text("name", func(r *k) *string { return &r.Name }),
		list("origins", func(r *k) *[]string { return &r.Origins }),
		text("hint", func(r *k) *string { return &r.Hint }),
		field[k]{column{"hash", bytesKind}, func(r *k) cell { return fixedCell{r.Hash[:]} }},
		text("rotated", func(r *k) *string { return &r.Replaces }),
		instant("created_at", func(r *k) *time.Time { return &r.CreatedAt }),
		instant("expires_at", func(r *k) *time.Time { return &r.ExpiresAt }),
		instant("revoked_at", func(r *k) *time.Time { return &r.RevokedAt }),
		instant("last_used_at", func(r *k) *time.Time { return &r.LastUsedAt }),
	)
}

const nextVersion = "UPDATE api_keys_version SET version = version + 1"

// Version implements [apikey.Store].
func (k Keys) Version(ctx context.Context) (version int64, err error) {
	err = k.db.read(ctx, "read the version of the keys", func(ctx context.Context, t runner) error {
		return t.row(ctx, "SELECT version FROM api_keys_version").Scan(&version)
	})
	return version, err
}

// All implements [apikey.Store].
func (k Keys) All(ctx context.Context, limit int) (all []apikey.Record, version int64, err error) {
	err = k.db.snapshot(ctx, "read the keys", func(ctx context.Context, t runner) error {
		if err := t.row(ctx, "SELECT version FROM api_keys_version").Scan(&version); err != nil {
			return err
		}
		all, err = k.table.read(t.query(ctx, "SELECT "+k.table.names+" FROM api_keys ORDER BY created_at DESC, id DESC LIMIT ?", max(limit, 0)))
		return err
	})
	return all, version, err
}

// Add implements [apikey.Store].
func (k Keys) Add(ctx context.Context, r apikey.Record, ends string, end time.Time) error {
	return k.db.transact(ctx, "add a key", func(ctx context.Context, t runner) error {
		if err := k.insert(ctx, t, r); err != nil {
			return err
		}
		if ends != "" {
			ms := end.UnixMilli()
			err := one(t.exec(ctx, `UPDATE api_keys SET expires_at = CASE WHEN expires_at < ? THEN expires_at ELSE ? END WHERE id = ? AND app = ?`,
				ms, ms, storable(ends), storable(r.App)))(apikey.ErrNotFound)
			if err != nil {
				return err
			}
		}
		_, err := t.exec(ctx, nextVersion)
		return err
	})
}

func (k Keys) insert(ctx context.Context, t runner, r apikey.Record) error {
	s := k.table.statement(t.dialect, []apikey.Record{r}, func(source string) string {
		return "INSERT INTO api_keys (" + k.table.names + ") " + source + " ON CONFLICT DO NOTHING"
	})
	return one(t.exec(ctx, s.text, s.values...))(apikey.ErrExists)
}

// Revoke implements [apikey.Store].
func (k Keys) Revoke(ctx context.Context, id string, at time.Time) error {
	return k.db.transact(ctx, "revoke a key", func(ctx context.Context, t runner) error {
		err := one(t.exec(ctx, "UPDATE api_keys SET revoked_at = COALESCE(revoked_at, ?) WHERE id = ?", at.UnixMilli(), storable(id)))(apikey.ErrNotFound)
		if err != nil {
			return err
		}
		_, err = t.exec(ctx, nextVersion)
		return err
	})
}

// purgeKeys reads all keys, of which an instance holds 10,000 at most.
const purgeKeys = `DELETE FROM api_keys WHERE id IN (
	SELECT id FROM api_keys WHERE revoked_at < ? OR expires_at < ? ORDER BY id LIMIT ?)`

// Purge implements [apikey.Store].
func (k Keys) Purge(ctx context.Context, before time.Time, limit int) (removed int64, err error) {
	err = k.db.transact(ctx, "purge keys", func(ctx context.Context, t runner) (err error) {
		ms := ceiling(before)
		if removed, err = t.exec(ctx, purgeKeys, ms, ms, max(limit, 0)); err != nil || removed == 0 {
			return err
		}
		_, err = t.exec(ctx, nextVersion)
		return err
	})
	return removed, err
}

// Touch implements [apikey.Store].
func (k Keys) Touch(ctx context.Context, used map[string]time.Time) error {
	return k.db.transact(ctx, "note the use of keys", func(ctx context.Context, t runner) error {
		for _, id := range slices.Sorted(maps.Keys(used)) { // in one order, or two instances could wait for each other
			ms := used[id].UnixMilli()
			if _, err := t.exec(ctx, "UPDATE api_keys SET last_used_at = ? WHERE id = ? AND COALESCE(last_used_at, 0) < ?", ms, storable(id), ms); err != nil {
				return err
			}
		}
		return nil
	})
}

// one returns a function that gives the error of a statement, or otherwise if it changed no row.
func one(changed int64, err error) func(otherwise error) error {
	return func(otherwise error) error {
		if err == nil && changed == 0 {
			return answer{otherwise}
		}
		return err
	}
}
