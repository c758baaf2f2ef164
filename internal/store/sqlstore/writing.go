package sqlstore

import "math/bits"

// writing is a statement that writes rows of T. Its texts are made once: there are few, since they depend on the number of rows at
// most.
type writing[T any] struct {
	table   table[T]
	dialect dialect
	texts   []string // of 1, 2, 4 rows and so on; in PostgreSQL the only one, of any number
}

// newWriting returns the statement whose text of makes of the rows' source.
func newWriting[T any](d dialect, t table[T], of func(source string) string) writing[T] {
	w := writing[T]{table: t, dialect: d}
	for rows := 1; rows <= max(d.perStatement, 1); rows *= 2 {
		w.texts = append(w.texts, d.text(of(d.rows(t.columns, rows))))
	}
	return w
}

// statements write rows, as many at once as the dialect takes.
func (w writing[T]) statements(rows []T) []statement {
	var all []statement
	for len(rows) > 0 {
		n := w.atOnce(len(rows))
		all = append(all, statement{w.texts[w.place(n)], w.table.values(w.dialect, rows[:n])})
		rows = rows[n:]
	}
	return all
}

// atOnce is how many of the rows that are left go into one statement: all, or where a statement's text depends on
// their number, the largest power of two, so that there are few such texts.
func (w writing[T]) atOnce(left int) int {
	if w.dialect.perStatement == 0 {
		return left
	}
	return 1 << w.place(left)
}

// place is that of the text of at most so many rows.
func (w writing[T]) place(rows int) int { return min(bits.Len(uint(rows)), len(w.texts)) - 1 }
