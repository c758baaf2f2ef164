package records

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// WriteCSV writes all rows of a search to w, newest first, masked as they are listed: RFC 4180 with a header row. It
// holds one page at a time, and ends with the first error of w; each page has a deadline of its own. A w that has
// a method Flush() error is told after each page.
//
// A spreadsheet takes a cell that begins with one of = + - @ for a formula (CWE-1236): such a text, and one that begins with a
// tab, a line's end or the full-width form of one of the four, has an apostrophe put in front. Numbers and instants are never touched.
func (d *Desk) WriteCSV(ctx context.Context, w io.Writer, s Search) error {
	switch s.listing {
	case OfVerifications:
		return writeCSV(ctx, w, s, verificationColumns, d.reader.Verifications, d.listVerification)
	case OfDecisions:
		return writeCSV(ctx, w, s, decisionColumns, d.reader.Decisions, d.listDecision)
	}
	return fmt.Errorf("records: no listing %q", s.listing)
}

func writeCSV[Row, Listed any](ctx context.Context, w io.Writer, s Search, columns []column[Listed], read read[Row], list func(Row, time.Time) Listed) error {
	flush := flusher(w)
	out := csv.NewWriter(w)
	out.UseCRLF = true // RFC 4180, section 2
	begun := false
	return all(ctx, s.filter, read, func(rows []Row) error {
		if !begun {
			begun = true
			_ = out.Write(names(columns)) // Flush tells
		}
		for _, row := range rows {
			_ = out.Write(cells(columns, list(row, s.filter.Now)))
		}
		out.Flush()
		return errors.Join(out.Error(), flush())
	})
}

// flusher is w's way to send on what it holds, if it has one.
func flusher(w io.Writer) func() error {
	if f, ok := w.(interface{ Flush() error }); ok {
		return f.Flush
	}
	return func() error { return nil }
}

// column is one of a listing. Its cell is what a spreadsheet may read.
type column[Listed any] struct {
	name string
	cell func(Listed) string
}

func names[Listed any](columns []column[Listed]) []string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.name
	}
	return all
}

func cells[Listed any](columns []column[Listed], row Listed) []string {
	all := make([]string, len(columns))
	for i, c := range columns {
		all[i] = c.cell(row)
	}
	return all
}

// formula begins what a spreadsheet computes.
const formula = "=+-@\t\r\n＝＋－＠"

// text makes a cell of text that nobody computes.
func text[Listed any](of func(Listed) string) func(Listed) string {
	return func(row Listed) string {
		s := of(row)
		if s != "" && strings.ContainsRune(formula, []rune(s)[0]) {
			return "'" + s
		}
		return s
	}
}

func integer[Listed any, N int | int64](of func(Listed) N) func(Listed) string {
	return func(row Listed) string { return strconv.FormatInt(int64(of(row)), 10) }
}

// when writes RFC 3339 in UTC; "" for never.
func when[Listed any](of func(Listed) time.Time) func(Listed) string {
	return func(row Listed) string {
		t := of(row)
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
}
