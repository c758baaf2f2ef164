package sqlstore

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"smsd/internal/records"
)

// cell is one value of a row: what it is in the database, and how it is read from there. value is nil (NULL), or of its
// kind: a string, an int64, or a []byte that is not to be changed. But for fixedCell each is no larger than a pointer, so
// that making one allocates nothing.
type cell interface {
	sql.Scanner
	value() any
}

// kind is what a column holds, as PostgreSQL calls it.
type kind string

const (
	textKind  kind = "text"
	wholeKind kind = "bigint"
	bytesKind kind = "bytea"
)

// textCell is text without what PostgreSQL does not take: a zero byte, and what is not UTF-8.
type textCell struct{ p *string }

func (c textCell) value() any { return storable(*c.p) }

func (c textCell) Scan(from any) error {
	text, ok := from.(string)
	if !ok {
		return unexpected("text", from)
	}
	*c.p = text
	return nil
}

// storable returns s with U+FFFD for what cannot be stored.
func storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// wholeCell is a whole number.
type wholeCell[N int | int64] struct{ p *N }

func (c wholeCell[N]) value() any { return int64(*c.p) }

func (c wholeCell[N]) Scan(from any) error {
	n, ok := from.(int64)
	if !ok {
		return unexpected("a whole number", from)
	}
	*c.p = N(n)
	return nil
}

// instantCell is an instant in milliseconds; never is NULL.
type instantCell struct{ p *time.Time }

func (c instantCell) value() any {
	if c.p.IsZero() {
		return nil
	}
	return c.p.UnixMilli()
}

func (c instantCell) Scan(from any) error {
	switch n := from.(type) {
	case nil:
		*c.p = time.Time{}
	case int64:
		*c.p = time.UnixMilli(n).UTC()
	default:
		return unexpected("an instant", from)
	}
	return nil
}

// hashCell is a subject's hash; none is NULL.
type hashCell struct{ p *records.Hash }

func (c hashCell) value() any {
	if c.p.IsZero() {
		return nil
	}
	return c.p[:]
}

func (c hashCell) Scan(from any) error {
	switch b := from.(type) {
	case nil:
		*c.p = records.Hash{}
		return nil
	case []byte:
		if copy(c.p[:], b) == len(c.p) && len(b) == len(c.p) {
			return nil
		}
	}
	return unexpected("a hash", from)
}

// bytesCell is bytes; nil is NULL.
type bytesCell struct{ p *[]byte }

func (c bytesCell) value() any {
	if *c.p == nil {
		return nil
	}
	return *c.p
}

func (c bytesCell) Scan(from any) error {
	b, ok := from.([]byte)
	if !ok && from != nil {
		return unexpected("bytes", from)
	}
	*c.p = nil
	if from != nil {
		*c.p = append([]byte{}, b...)
	}
	return nil
}

// listCell is a list of texts, in JSON; the empty list is the empty text.
type listCell struct{ p *[]string }

func (c listCell) value() any { return c.text() }

func (c listCell) text() string {
	if len(*c.p) == 0 {
		return ""
	}
	return inJSON(*c.p)
}

func inJSON[T string | []string](v T) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("sqlstore: text in JSON: %v", err)) // it can always be written
	}
	return string(text)
}

func (c listCell) Scan(from any) error {
	text, ok := from.(string)
	if !ok {
		return unexpected("a list", from)
	}
	*c.p = nil
	if text == "" {
		return nil
	}
	return json.Unmarshal([]byte(text), c.p)
}

// unexpected names the type of what was found, never the value.
func unexpected(wanted string, found any) error {
	return fmt.Errorf("wanted %s, found a %T", wanted, found)
}

// fixedCell is bytes of one length, as an array has; never NULL.
type fixedCell struct{ p []byte }

func (c fixedCell) value() any { return c.p }

func (c fixedCell) Scan(from any) error {
	b, ok := from.([]byte)
	if !ok || len(b) != len(c.p) {
		return unexpected(fmt.Sprintf("%d bytes", len(c.p)), from)
	}
	copy(c.p, b)
	return nil
}
