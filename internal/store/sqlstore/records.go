package sqlstore

import (
	"context"
	"database/sql"
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
	_ records.Owners = Records{}
)

// Records returns the drivers of package records.
func (d *DB) Records() Records { return Records{d} }

// Ping implements [records.Store].
func (r Records) Ping(ctx context.Context) error { return r.db.Ping(ctx) }

// Append implements [records.Store].
func (r Records) Append(ctx context.Context, b records.Batch) error {
	count, err := r.count(b)
	if err != nil {
		return err
	}
	if len(b.Handles) > 0 {
		return r.appendNamed(ctx, count, b)
	}
	return r.db.run(ctx, "append", func(ctx context.Context, p *pools) error {
		return r.db.dialect.once(ctx, r.db.dialect, p, count, slices.Concat(r.countAside(b), r.writes(b)))
	})
}

// count are the values of [countBatch].
func (r Records) count(b records.Batch) ([]any, error) {
	if b.Writer == "" || b.Seq == 0 || b.Seq > math.MaxInt64 {
		return nil, fmt.Errorf("append: a batch has a writer, and a number from 1")
	}
	return []any{storable(b.Writer), int64(b.Seq), r.db.now().UnixMilli()}, nil
}

// writes are the statements of a batch, but for its handles.
func (r Records) writes(b records.Batch) []statement {
	w := &r.db.writings
	verifications := inOrder(b.Verifications, verificationID, firstOf)
	alone, whole, told := fold(verifications, inOrder(b.Changes, changeID, then))
	return slices.Concat(
		w.whole.statements(whole),
		w.verifications.statements(alone),
		w.changes.statements(toldAt(r.db.now(), told)),
		w.decisions.statements(b.Decisions),
	)
}

// countAside counts what was set aside of a batch in a call that was not executed: this one has its rows.
func (r Records) countAside(b records.Batch) []statement {
	if b.Aside == (records.Number{}) {
		return nil
	}
	return []statement{{r.db.dialect.text(countBatch), []any{storable(b.Aside.Writer), int64(b.Aside.Seq), r.db.now().UnixMilli()}}}
}

// appendNamed writes a batch with handles: what these tell of verifications is known once they are written, and goes with the
// changes. So it takes more trips than a batch without.
func (r Records) appendNamed(ctx context.Context, count []any, b records.Batch) error {
	return r.db.run(ctx, "append", func(ctx context.Context, p *pools) error {
		return appending(ctx, r.db.dialect, p, count, func(in runner) error {
			if err := in.all(ctx, r.countAside(b)); err != nil {
				return err
			}
			return r.rows(ctx, in, b)
		})
	})
}

// rows writes those of a batch.
func (r Records) rows(ctx context.Context, in runner, b records.Batch) error {
	told, err := r.claimed(ctx, in, b.Handles)
	if err != nil {
		return err
	}
	b.Changes = slices.Concat(b.Changes, told)
	return in.all(ctx, r.writes(b))
}

// appending counts a batch and, unless it was written before, has the rest done, in one transaction. Its statements are those of
// few texts: where they can be kept compiled, they are.
func appending(ctx context.Context, d dialect, p *pools, count []any, rest func(runner) error) error {
	if p.kept == nil {
		return inTransaction(ctx, p.write, nil, func(t *sql.Tx) error { return counted(ctx, runner{d, t}, count, rest) })
	}
	if err := p.kept.compile(ctx); err != nil {
		return err
	}
	return inTransaction(ctx, p.write, nil, func(t *sql.Tx) error { return counted(ctx, runner{d, compiledTx{t, p.kept}}, count, rest) })
}

func counted(ctx context.Context, in runner, count []any, rest func(runner) error) error {
	changed, err := in.exec(ctx, countBatch, count...)
	if err != nil || changed == 0 {
		return err
	}
	return rest(in)
}

// countBatch changes no row if the batch was written before. Two at once wait for each other here.
const countBatch = `
INSERT INTO writers (writer, seq, at) VALUES (?, ?, ?)
ON CONFLICT (writer) DO UPDATE SET seq = excluded.seq, at = excluded.at WHERE writers.seq < excluded.seq`
