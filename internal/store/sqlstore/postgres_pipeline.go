package sqlstore

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// pipelined is PostgreSQL's once: two trips, whatever the number of statements.
func pipelined(ctx context.Context, p *pools, first statement, rest []statement) error {
	c, err := p.write.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	return c.Raw(func(driver any) error {
		conn := driver.(*stdlib.Conn).Conn()
		err := twoTrips(ctx, conn, first, rest)
		if err != nil {
			return errors.Join(err, undo(ctx, conn))
		}
		return nil
	})
}

func twoTrips(ctx context.Context, conn *pgx.Conn, first statement, rest []statement) error {
	changed, err := trip(ctx, conn, statement{text: "BEGIN"}, first)
	if err != nil {
		return err
	}
	if changed == 0 {
		_, err := trip(ctx, conn, statement{text: "ROLLBACK"})
		return err
	}
	_, err = trip(ctx, conn, append(rest, statement{text: "COMMIT"})...)
	return err
}

// trip sends statements together. It returns how many rows the last one changed, or the first error: the statements
// behind that were not executed, and so not a COMMIT.
func trip(ctx context.Context, conn *pgx.Conn, all ...statement) (changed int64, err error) {
	var batch pgx.Batch
	for _, s := range all {
		batch.Queue(s.text, s.values...)
	}
	results := conn.SendBatch(ctx, &batch)
	for range all {
		tag, err := results.Exec()
		if err != nil {
			return 0, errors.Join(err, results.Close())
		}
		changed = tag.RowsAffected()
	}
	return changed, results.Close()
}

// undoTimeout is how long a server may take to undo what has failed. Then the connection is closed, which undoes it too.
const undoTimeout = time.Second

// undo ends a transaction that has failed, at once: until then others wait for its rows.
func undo(ctx context.Context, conn *pgx.Conn) error {
	if conn.IsClosed() {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), undoTimeout)
	defer cancel()
	if _, err := conn.Exec(ctx, "ROLLBACK"); err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	return nil
}
