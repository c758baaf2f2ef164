package sqlstore

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
)

// countOrFail is [countBatch], but for a batch that was written before: there it fails with [writtenBefore], and so keeps the statements
// behind it in the same trip from being executed. The server's log has an error then that says what it is.
const countOrFail = `
INSERT INTO writers (writer, seq, at) VALUES ($1, $2, $3)
ON CONFLICT (writer) DO UPDATE SET at = excluded.at,
	seq = CASE WHEN writers.seq < excluded.seq THEN excluded.seq ELSE CAST('smsd: batch ' || excluded.seq || ' was written before, as is right' AS BIGINT) END`

// writtenBefore is the SQLSTATE of a text that is no number.
const writtenBefore = "22P02"

// pipelined is PostgreSQL's once, in one trip. Statements that are sent so, without a BEGIN, are one transaction, which ends with the
// last of them or is undone by the first that fails.
func pipelined(ctx context.Context, _ dialect, p *pools, count []any, rest []statement) error {
	c, err := p.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(driver any) error {
		return oneTrip(ctx, driver.(*stdlib.Conn).Conn(), count, rest)
	})
}

func oneTrip(ctx context.Context, conn *pgx.Conn, count []any, rest []statement) error {
	var batch pgx.Batch
	batch.Queue(countOrFail, count...)
	for _, s := range rest {
		batch.Queue(s.text, s.values...)
	}
	results := conn.SendBatch(ctx, &batch)
	if _, err := results.Exec(); err != nil {
		closed := results.Close() // the same again, or nothing
		if e, ok := errors.AsType[*pgconn.PgError](err); ok && e.Code == writtenBefore {
			return nil
		}
		return errors.Join(err, closed)
	}
	for range rest {
		if _, err := results.Exec(); err != nil {
			return errors.Join(err, results.Close())
		}
	}
	return results.Close()
}
