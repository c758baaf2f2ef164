package sqlstore

import (
	"context"
	"errors"
	"strconv"
	"time"

	"smsd/internal/records"
)

// Verification implements [records.Reader].
func (r Records) Verification(ctx context.Context, smsID string) (records.Verification, error) {
	if smsID == "" {
		return records.Verification{}, records.ErrNotFound
	}
	found, _, err := r.Verifications(ctx, records.Filter{SMSID: smsID, Limit: 1})
	if err != nil {
		return records.Verification{}, err
	}
	if len(found) == 0 {
		return records.Verification{}, records.ErrNotFound
	}
	return found[0], nil
}

// Verifications implements [records.Reader].
func (r Records) Verifications(ctx context.Context, f records.Filter) ([]records.Verification, records.Cursor, error) {
	query, values := r.verificationQuery(f)
	found, err := page(ctx, r.db, r.db.verifications, query, values, f.Limit)
	found, next := cut(found, f.Limit, func(v records.Verification) (time.Time, string) { return v.CreatedAt, v.SMSID })
	return found, next, err
}

func (r Records) verificationQuery(f records.Filter) (query string, values []any) {
	var c conditions
	c.add("early_at IS NULL")
	c.shared(f)
	c.state(f.State, f.Now)
	c.within(f, "created_at", "sms_id", storable(f.After.Row))
	return "SELECT " + r.db.verifications.names + " FROM verifications" + c.where() + " ORDER BY created_at DESC, sms_id DESC LIMIT ?", c.values
}

// Decisions implements [records.Reader].
func (r Records) Decisions(ctx context.Context, f records.Filter) ([]records.Decision, records.Cursor, error) {
	query, values, err := r.decisionQuery(f)
	if err != nil {
		return nil, records.Cursor{}, err
	}
	found, err := page(ctx, r.db, r.db.decisionRows, query, values, f.Limit)
	found, next := cut(found, f.Limit, func(d decisionRow) (time.Time, string) { return d.decision.At, strconv.FormatInt(d.id, 10) })
	var all []records.Decision
	for _, d := range found {
		all = append(all, d.decision)
	}
	return all, next, err
}

// errCursor is a cursor that was never given.
var errCursor = errors.New("the cursor is none of a list of decisions")

func (r Records) decisionQuery(f records.Filter) (query string, values []any, err error) {
	after, err := strconv.ParseInt(f.After.Row, 10, 64)
	if err != nil && !f.After.At.IsZero() {
		return "", nil, errCursor
	}
	var c conditions
	c.shared(f)
	c.is("outcome", f.Outcome)
	c.is("action", f.Action)
	c.is("rule", f.Rule)
	c.has("shadow", f.Shadow)
	c.within(f, "at", "id", after)
	return "SELECT " + r.db.decisionRows.names + " FROM decisions" + c.where() + " ORDER BY at DESC, id DESC LIMIT ?", c.values, nil
}

// page reads one row more than wanted, so that it is known whether more follow.
func page[T any](ctx context.Context, d *DB, t table[T], query string, values []any, limit int) (found []T, err error) {
	err = d.read(ctx, "read records", func(ctx context.Context, in runner) error {
		found, err = t.read(in.query(ctx, query, append(values, pageSize(limit)+1)...))
		return err
	})
	return found, err
}

// pageSize is limit within its bounds.
func pageSize(limit int) int { return min(max(limit, 1), records.MaxPage) }

// cut takes the row too many away, and returns the cursor behind the last one left.
func cut[T any](found []T, limit int, place func(T) (time.Time, string)) ([]T, records.Cursor) {
	n := pageSize(limit)
	if len(found) <= n {
		return found, records.Cursor{}
	}
	at, row := place(found[n-1])
	return found[:n], records.Cursor{At: at, Row: row}
}
