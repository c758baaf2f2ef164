package sqlstore

import (
	"context"
	"database/sql"
	"slices"

	"smsd/internal/records"
)

// AppendSome implements [records.Store]. All of it is one transaction: what the database refuses is undone by itself, and the rest
// of the batch is counted and written with what was handed over before the commit.
func (r Records) AppendSome(ctx context.Context, b records.Batch, aside func(refused records.Batch, why error) error) error {
	count, err := r.count(b)
	if err != nil {
		return err
	}
	return r.db.run(ctx, "append what can be", func(ctx context.Context, p *pools) error {
		return inTransaction(ctx, p.write, nil, func(t *sql.Tx) error {
			return counted(ctx, runner{r.db.dialect, t}, count, func(in runner) error { return r.without(ctx, in, b, aside) })
		})
	})
}

// without writes a batch without what the database refuses of it, once aside has that.
func (r Records) without(ctx context.Context, in runner, b records.Batch, aside func(refused records.Batch, why error) error) error {
	if err := in.all(ctx, slices.Concat(in.dialect.eachAtOnce, r.countAside(b))); err != nil {
		return err
	}
	refused, why, err := r.some(ctx, in, b)
	if err != nil || refused.Rows() == 0 {
		return err
	}
	return aside(refused, failed(ctx, "append", why))
}

// some writes what the database takes of a batch, and returns the rest of it, with why the last row of that was refused. It halves
// what is refused until one row is left: of 500 rows with one that is refused, in some twenty steps.
func (r Records) some(ctx context.Context, in runner, b records.Batch) (refused records.Batch, why, err error) {
	why, err = in.part(ctx, func() error { return r.rows(ctx, in, b) })
	switch {
	case why == nil || err != nil:
		return records.Batch{}, nil, err
	case b.Rows() == 1:
		return b, why, nil
	}
	for _, half := range halves(b) {
		some, because, err := r.some(ctx, in, half)
		if err != nil {
			return records.Batch{}, nil, err
		}
		if some.Rows() > 0 {
			refused, why = refused.With(some), because
		}
	}
	return refused, why, nil
}

// halves are a batch in two, in the order in which its rows are written.
func halves(b records.Batch) [2]records.Batch {
	var both [2]records.Batch
	n := b.Rows() / 2
	both[0].Verifications, both[1].Verifications, n = split(b.Verifications, n)
	both[0].Changes, both[1].Changes, n = split(b.Changes, n)
	both[0].Handles, both[1].Handles, n = split(b.Handles, n)
	both[0].Decisions, both[1].Decisions, _ = split(b.Decisions, n)
	return both
}

// split returns the first n rows, the others, and how many the first are short of n.
func split[T any](rows []T, n int) (head, tail []T, short int) {
	at := min(n, len(rows))
	return rows[:at], rows[at:], n - at
}

// part does a part of a transaction. What the database refuses for its content is undone, and returned as refused; after any other
// failure the transaction is of no use.
func (r runner) part(ctx context.Context, do func() error) (refused, err error) {
	if _, err := r.exec(ctx, "SAVEPOINT part"); err != nil {
		return nil, err
	}
	if err = do(); err != nil {
		if !isContent(err) {
			return nil, err
		}
		refused = err
		if _, err := r.exec(ctx, "ROLLBACK TO SAVEPOINT part"); err != nil {
			return nil, err
		}
	}
	_, err = r.exec(ctx, "RELEASE SAVEPOINT part")
	return refused, err
}
