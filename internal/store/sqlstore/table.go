package sqlstore

import (
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

// statements write rows, as many at once as the dialect takes. of makes a statement's text of the rows' source.
func (t table[T]) statements(d dialect, rows []T, of func(source string) string) []statement {
	var all []statement
	for len(rows) > 0 {
		n := atOnce(len(rows), d.perStatement)
		all = append(all, t.statement(d, rows[:n], of))
		rows = rows[n:]
	}
	return all
}

func (t table[T]) statement(d dialect, rows []T, of func(source string) string) statement {
	cells := make([][]cell, len(rows))
	for i := range rows {
		cells[i] = t.cells(&rows[i])
	}
	return statement{of(d.rows(t.columns, len(rows))), d.values(t.columns, cells)}
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
