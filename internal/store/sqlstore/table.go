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

// statement writes rows, at most as many as the dialect takes at once. of makes its text of the rows' source.
func (t table[T]) statement(d dialect, rows []T, of func(source string) string) statement {
	return statement{of(d.rows(t.columns, len(rows))), t.values(d, rows)}
}

// values are those of rows in a statement, which has the rows until it has run.
func (t table[T]) values(d dialect, rows []T) []any {
	return d.values(t.columns, len(rows), func(row, column int) cell { return t.fields[column].cell(&rows[row]) })
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
