package records

import (
	"context"
	"fmt"
	"time"
)

// Page is some rows of a search, newest first.
type Page[Row any] struct {
	Rows []Row
	// Next is the cursor of the page behind this one; "" where there is none.
	Next string
	// At is the instant at which states are told: that of the first page. So a listing stays one while time passes, and
	// rows that arrive stand in front of it.
	At time.Time
}

// Verifications returns the page behind a cursor; "" is the first one. limit is 1 to [MaxPage]. A cursor that no page of
// the same search gave is a [*FilterFault]. The search must be of verifications.
func (d *Desk) Verifications(ctx context.Context, s Search, cursor string, limit int) (Page[ListedVerification], error) {
	return page(ctx, d, s, OfVerifications, cursor, limit, d.reader.Verifications, d.listVerification)
}

// Decisions is as Verifications, of decisions.
func (d *Desk) Decisions(ctx context.Context, s Search, cursor string, limit int) (Page[ListedDecision], error) {
	return page(ctx, d, s, OfDecisions, cursor, limit, d.reader.Decisions, d.listDecision)
}

// read is a Reader's method.
type read[Row any] func(context.Context, Filter) ([]Row, Cursor, error)

func page[Row, Listed any](ctx context.Context, d *Desk, s Search, of Listing, cursor string, limit int, read read[Row], list func(Row, time.Time) Listed) (Page[Listed], error) {
	if s.listing != of {
		return Page[Listed]{}, fmt.Errorf("records: a search of %q was asked for %s", s.listing, of)
	}
	s, err := d.from(s, cursor)
	if err != nil {
		return Page[Listed]{}, newFilterFault("cursor", err)
	}
	s.filter.Limit = min(max(1, limit), MaxPage)
	rows, next, err := readPage(ctx, s.filter, read)
	if err != nil {
		return Page[Listed]{}, err
	}
	p := Page[Listed]{Rows: make([]Listed, 0, len(rows)), Next: d.cursorBehind(s, next), At: s.filter.Now}
	for _, row := range rows {
		p.Rows = append(p.Rows, list(row, s.filter.Now))
	}
	return p, nil
}

func readPage[Row any](ctx context.Context, f Filter, read read[Row]) ([]Row, Cursor, error) {
	ctx, cancel := context.WithTimeout(ctx, PageTimeout)
	defer cancel()
	rows, next, err := read(ctx, f)
	if err != nil {
		return nil, Cursor{}, away(err)
	}
	return rows, next, nil
}

// all calls do with every row of a search, page by page. It ends with the first error of do.
func all[Row any](ctx context.Context, f Filter, read read[Row], do func([]Row) error) error {
	for f.Limit = MaxPage; ; {
		rows, next, err := readPage(ctx, f, read)
		if err != nil {
			return err
		}
		if err := do(rows); err != nil {
			return err
		}
		if next == (Cursor{}) {
			return nil
		}
		f.After = next
	}
}
