package sqlstore

import (
	"context"
	"database/sql"
	"strings"
)

// column is a name and what it holds.
type column struct {
	name string
	kind kind
}

// field is one column of a row of T.
type field[T any] struct {
	column
	cell func(*T) cell
}

// table is a row of T, written and read.
type table[T any] struct {
	fields  []field[T]
	columns []column
	names   string // of the columns, comma-separated
}

func newTable[T any](fields ...field[T]) table[T] {
	t := table[T]{fields: fields}
	var names []string
	for _, f := range fields {
		t.columns = append(t.columns, f.column)
		names = append(names, f.name)
	}
	t.names = strings.Join(names, ", ")
	return t
}

// cells are those of one row.
func (t table[T]) cells(row *T) []cell {
	all := make([]cell, len(t.fields))
	for i, f := range t.fields {
		all[i] = f.cell(row)
	}
	return all
}

// write runs a statement over rows, as many at once as the dialect takes. statement makes it of the rows' source.
func (t table[T]) write(ctx context.Context, in runner, rows []T, statement func(source string) string) error {
	for len(rows) > 0 {
		n := atOnce(len(rows), in.dialect.perStatement)
		cells := make([][]cell, n)
		for i := range cells {
			cells[i] = t.cells(&rows[i])
		}
		text := statement(in.dialect.rows(t.columns, n))
		if _, err := in.exec(ctx, text, in.dialect.values(t.columns, cells)...); err != nil {
			return err
		}
		rows = rows[n:]
	}
	return nil
}

// atOnce is how many of the rows that are left go into one statement: all, or where a statement's text depends on
// their number, the largest power of two, so that there are few such texts.
func atOnce(left, most int) int {
	if most == 0 {
		return left
	}
	for most > left {
		most /= 2
	}
	return most
}

// read returns the rows of a query that selects the columns' names.
func (t table[T]) read(rows *sql.Rows, err error) ([]T, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []T
	for rows.Next() {
		var one T
		var into []any
		for _, c := range t.cells(&one) {
			into = append(into, c)
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		all = append(all, one)
	}
	return all, rows.Err()
}
