package sqlstore

import "github.com/jackc/pgx/v5/pgtype"

// arrays is the values of unnest, column by column.
func arrays(columns []column, rows int, at func(row, column int) cell) []any {
	size := []pgtype.ArrayDimension{{Length: int32(rows), LowerBound: 1}}
	all, values := make([]array, len(columns)), make([]any, len(columns))
	for i := range all {
		all[i] = array{size, columns[i].kind, i, at}
		values[i] = &all[i]
	}
	return values
}

// array is one column of rows, which pgx asks for each value as it writes it: so none is copied or wrapped before.
type array struct {
	size   []pgtype.ArrayDimension
	kind   kind
	column int
	at     func(row, column int) cell
}

var (
	_ pgtype.ArrayGetter = (*array)(nil)
	_ pgtype.TextValuer  = (*array)(nil)
)

func (a *array) Dimensions() []pgtype.ArrayDimension { return a.size }

func (a *array) Index(i int) any { return a.at(i, a.column) }

func (a *array) IndexType() any { return a.Index(0) }

// arrayTypes are those of PostgreSQL's arrays.
var arrayTypes = map[kind]uint32{textKind: pgtype.TextArrayOID, wholeKind: pgtype.Int8ArrayOID, bytesKind: pgtype.ByteaArrayOID}

// TextValue is the array as text, where pgx does not ask the server for the types of a statement: default_query_exec_mode=exec.
func (a *array) TextValue() (pgtype.Text, error) {
	text, err := pgtype.NewMap().Encode(arrayTypes[a.kind], pgtype.TextFormatCode, asArray{a}, nil)
	return pgtype.Text{String: string(text), Valid: true}, err
}

// asArray is an array that has no text.
type asArray struct{ pgtype.ArrayGetter }

// The rest is what pgx takes each kind of cell for. Unlike value it allocates nothing.

var (
	_ pgtype.TextValuer  = textCell{}
	_ pgtype.TextValuer  = listCell{}
	_ pgtype.Int64Valuer = wholeCell[int64]{}
	_ pgtype.Int64Valuer = instantCell{}
	_ pgtype.BytesValuer = hashCell{}
	_ pgtype.BytesValuer = bytesCell{}
	_ pgtype.BytesValuer = fixedCell{}
)

func (c textCell) TextValue() (pgtype.Text, error) {
	return pgtype.Text{String: storable(*c.p), Valid: true}, nil
}

func (c listCell) TextValue() (pgtype.Text, error) {
	return pgtype.Text{String: c.text(), Valid: true}, nil
}

func (c wholeCell[N]) Int64Value() (pgtype.Int8, error) {
	return pgtype.Int8{Int64: int64(*c.p), Valid: true}, nil
}

func (c instantCell) Int64Value() (pgtype.Int8, error) {
	if c.p.IsZero() {
		return pgtype.Int8{}, nil
	}
	return pgtype.Int8{Int64: c.p.UnixMilli(), Valid: true}, nil
}

func (c hashCell) BytesValue() ([]byte, error) {
	if c.p.IsZero() {
		return nil, nil
	}
	return c.p[:], nil
}

func (c bytesCell) BytesValue() ([]byte, error) { return *c.p, nil }

func (c fixedCell) BytesValue() ([]byte, error) { return c.p, nil }
