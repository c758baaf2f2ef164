package sqlstore

import (
	"context"
	"fmt"
	"math"
	"slices"

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
	d := r.db.dialect
	return r.db.run(ctx, "append", func(ctx context.Context, p *pools) error {
		return d.once(ctx, r.db, p,
			statement{countBatch, []any{storable(b.Writer), int64(b.Seq), r.db.now().UnixMilli()}},
			slices.Concat(
				r.db.verifications.statements(d, b.Verifications, r.insertVerifications),
				r.db.changes.statements(d, merged(b.Changes), r.updateVerifications),
				r.db.decisions.statements(d, b.Decisions, r.insertDecisions),
			))
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
