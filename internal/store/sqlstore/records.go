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
				r.db.verifications.statements(d, inOrder(b.Verifications, verificationID), r.db.upserts.verifications),
				r.db.changes.statements(d, toldAt(r.db.now(), inOrder(merged(b.Changes), changeID)), r.db.upserts.changes),
				r.db.decisions.statements(d, b.Decisions, r.insertDecisions),
			))
	})
}

// countBatch changes no row if the batch was written before. Two at once wait for each other here.
const countBatch = `
INSERT INTO writers (writer, seq, at) VALUES (?, ?, ?)
ON CONFLICT (writer) DO UPDATE SET seq = excluded.seq, at = excluded.at WHERE writers.seq < excluded.seq`

func (r Records) insertDecisions(source string) string {
	return "INSERT INTO decisions (" + r.db.decisions.names + ") " + source
}
