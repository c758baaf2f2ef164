package sqlstore

import (
	"context"
	"fmt"
	"math"

	"smsd/internal/records"
)

// Records is the store of records. See [DB.Records].
type Records struct{ db *DB }

var (
	_ records.Store  = Records{}
	_ records.Reader = Records{}
	_ records.Keeper = Records{}
)

// Records returns the drivers of package records.
func (d *DB) Records() Records { return Records{d} }

// Ping implements [records.Store].
func (r Records) Ping(ctx context.Context) error { return r.db.Ping(ctx) }

// Append implements [records.Store].
func (r Records) Append(ctx context.Context, b records.Batch) error {
	if b.Writer == "" || b.Seq == 0 || b.Seq > math.MaxInt64 {
		return fmt.Errorf("append: a batch has a writer, and a number from 1")
	}
	return r.db.transact(ctx, "append", func(ctx context.Context, t runner) error {
		isNew, err := t.exec(ctx, countBatch, storable(b.Writer), int64(b.Seq), r.db.now().UnixMilli())
		if err != nil || isNew == 0 {
			return err
		}
		if err := r.db.verifications.write(ctx, t, b.Verifications, r.insertVerifications); err != nil {
			return err
		}
		if err := r.db.changes.write(ctx, t, merged(b.Changes), r.updateVerifications); err != nil {
			return err
		}
		return r.db.decisions.write(ctx, t, b.Decisions, r.insertDecisions)
	})
}

// countBatch changes no row if the batch was written before. Two at once wait for each other here.
const countBatch = `
INSERT INTO writers (writer, seq, at) VALUES (?, ?, ?)
ON CONFLICT (writer) DO UPDATE SET seq = excluded.seq, at = excluded.at WHERE writers.seq < excluded.seq`

func (r Records) insertVerifications(source string) string {
	return "INSERT INTO verifications (" + r.db.verifications.names + ") " + source + " ON CONFLICT (sms_id) DO NOTHING"
}

func (r Records) insertDecisions(source string) string {
	return "INSERT INTO decisions (" + r.db.decisions.names + ") " + source
}

// updateVerifications adds what became known: a word or a number that is known takes the place of the one before, the
// first instant stays, with its failure, and resends add up. Each row is changed once: see merged.
func (r Records) updateVerifications(source string) string {
	return "WITH told (" + r.db.changes.names + ") AS (" + source + `)
UPDATE verifications AS v SET
	expires_at   = COALESCE(told.expires_at, v.expires_at),
	gateway      = COALESCE(NULLIF(told.gateway, ''), v.gateway),
	delivery     = COALESCE(NULLIF(told.delivery, ''), v.delivery),
	segments     = COALESCE(NULLIF(told.segments, 0), v.segments),
	cost_micros  = COALESCE(NULLIF(told.cost_micros, 0), v.cost_micros),
	currency     = COALESCE(NULLIF(told.currency, ''), v.currency),
	delivered_at = COALESCE(v.delivered_at, told.delivered_at),
	verified_at  = COALESCE(v.verified_at, told.verified_at),
	failed_at    = COALESCE(v.failed_at, told.failed_at),
	failure      = COALESCE(NULLIF(v.failure, ''), told.failure),
	resends      = v.resends + told.resends,
	resent_at    = COALESCE(v.resent_at, told.resent_at),
	expired_at   = COALESCE(v.expired_at, told.expired_at)
FROM told WHERE v.sms_id = told.sms_id`
}
