package sqlstore

import (
	"context"
	"time"

	"smsd/internal/records"
)

const (
	purgeVerifications = `DELETE FROM verifications WHERE sms_id IN (
	SELECT sms_id FROM verifications WHERE created_at < ? ORDER BY created_at, sms_id LIMIT ?)`
	purgeDecisions = `DELETE FROM decisions WHERE id IN (
	SELECT id FROM decisions WHERE at < ? ORDER BY at, id LIMIT ?)`
	purgeHandles = `DELETE FROM handles WHERE (gateway, provider_id) IN (
	SELECT gateway, provider_id FROM handles WHERE at < ? ORDER BY at LIMIT ?)`
	purgeUnclaimed = `DELETE FROM handles WHERE (gateway, provider_id) IN (
	SELECT gateway, provider_id FROM handles WHERE sms_id = '' AND at < ? ORDER BY at LIMIT ?)`
	purgeWriters = `DELETE FROM writers WHERE writer IN (
	SELECT writer FROM writers WHERE at < ? ORDER BY at, writer LIMIT ?)`
)

// Purge implements [records.Keeper]. Early rows have the instant at which they came in created_at, and go and are counted with the
// others. A writer goes once it wrote nothing since the earlier of the two instants: by then
// all that it could write again has gone too. Handles go by this database's clock where they are nobody's.
func (r Records) Purge(ctx context.Context, verificationsBefore, decisionsBefore time.Time, limit int) (p records.Purged, err error) {
	writersBefore := verificationsBefore
	if decisionsBefore.Before(writersBefore) {
		writersBefore = decisionsBefore
	}
	for _, one := range []struct {
		statement string
		before    time.Time
		removed   *int64
	}{
		{purgeVerifications, verificationsBefore, &p.Verifications},
		{purgeDecisions, decisionsBefore, &p.Decisions},
		{purgeWriters, writersBefore, &p.Writers},
		{purgeHandles, verificationsBefore, &p.Handles},
		{purgeUnclaimed, r.db.now().Add(-records.UnclaimedKept), &p.Handles},
	} {
		n, err := r.purge(ctx, one.statement, one.before, limit)
		if err != nil {
			return p, err
		}
		*one.removed += n
	}
	return p, nil
}

// purge removes rows of one kind. Each kind goes by itself: what is removed is removed, and a writer waits for less.
func (r Records) purge(ctx context.Context, statement string, before time.Time, limit int) (removed int64, err error) {
	err = r.db.write(ctx, "purge", func(ctx context.Context, t runner) (err error) {
		removed, err = t.exec(ctx, statement, ceiling(before), max(limit, 0))
		return err
	})
	return removed, err
}

// Erase implements [records.Keeper].
func (r Records) Erase(ctx context.Context, phones []records.Hash) (e records.Erased, err error) {
	if len(phones) == 0 {
		return e, nil
	}
	var c conditions
	c.anyOf("phone", phones)
	const nobody = " SET phone = NULL, host = NULL, network = NULL, device = NULL, prefix = ''"
	err = r.db.transact(ctx, "erase", func(ctx context.Context, t runner) error {
		if e.Verifications, err = t.exec(ctx, "UPDATE verifications"+nobody+", sealed = NULL"+c.where(), c.values...); err != nil {
			return err
		}
		e.Decisions, err = t.exec(ctx, "UPDATE decisions"+nobody+c.where(), c.values...)
		return err
	})
	if err != nil {
		return records.Erased{}, err
	}
	if r.db.dialect.erased != nil {
		err = r.db.run(ctx, "erase for good", r.db.dialect.erased)
	}
	return e, err
}

// SealedWith implements [records.Keeper].
func (r Records) SealedWith(ctx context.Context) (map[string]int64, error) {
	counts := map[string]int64{}
	err := r.db.read(ctx, "count sealed numbers", func(ctx context.Context, t runner) error {
		rows, err := t.query(ctx, "SELECT "+t.dialect.sealedWith+" AS id, COUNT(*) FROM verifications WHERE sealed IS NOT NULL GROUP BY id")
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var id string
			var count int64
			if err := rows.Scan(&id, &count); err != nil {
				return err
			}
			counts[id] = count
		}
		return rows.Err()
	})
	return counts, err
}
