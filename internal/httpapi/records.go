package httpapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"

	"github.com/labstack/echo/v4"

	"smsd/internal/phone"
	"smsd/internal/records"
)

// usualPage is rows of a page where nobody says how many.
const usualPage = 50

// verifications answers GET /api/v1/verifications.
func (s *admin) verifications(c echo.Context) error {
	return list(s, c, records.OfVerifications, s.Desk.Verifications, newVerificationAnswer)
}

// decisions answers GET /api/v1/decisions.
func (s *admin) decisions(c echo.Context) error {
	return list(s, c, records.OfDecisions, s.Desk.Decisions, newDecisionAnswer)
}

// list answers with a page of a listing, or with all of it as CSV.
func list[Row, Answer any](s *admin, c echo.Context, of records.Listing,
	page func(context.Context, records.Search, string, int) (records.Page[Row], error), answerOf func(Row) Answer) error {
	q := newQuery(c, append(filterNames(of), "cursor", "limit", "format")...)
	search := q.search(c, s.Desk, of)
	isCSV, cursor, limit := q.isCSV(), q.values.Get("cursor"), q.count("limit", records.MaxPage)
	if q.values.Get("limit") == "" {
		limit = usualPage
	}
	if err := q.err(); err != nil {
		return err
	}
	if isCSV {
		return s.exportCSV(c, of, search)
	}
	extend(c, records.PageTimeout)
	found, err := page(contextOf(c), search, cursor, limit)
	if err != nil {
		return s.unread(c, err)
	}
	rows := make([]Answer, 0, len(found.Rows)) // none are [], not null
	for _, row := range found.Rows {
		rows = append(rows, answerOf(row))
	}
	return answer(c, http.StatusOK, newListingAnswer(of, rows, found.At, found.Next))
}

func filterNames(of records.Listing) []string {
	var names []string
	for _, f := range of.Filters() {
		names = append(names, f.Name)
	}
	return names
}

// search reads the filters.
func (q *query) search(c echo.Context, desk *records.Desk, of records.Listing) records.Search {
	if _, err := url.ParseQuery(c.Request().URL.RawQuery); err != nil {
		q.found.add(atPointer("", codeInvalid)) // what can't be read would be a filter that is not there
	}
	text := map[string]string{}
	for _, name := range filterNames(of) {
		text[name] = q.values.Get(name)
	}
	s, err := desk.Search(of, text)
	if faults, ok := errors.AsType[records.FilterFaults](err); ok {
		for _, f := range faults {
			q.blame(f)
		}
	}
	return s
}

// blame says in the words of a request what a desk does not like.
func (q *query) blame(f *records.FilterFault) {
	if number, ok := errors.AsType[*phone.Error](f); ok {
		q.phone = number
		return
	}
	q.found.add(faultOfFilter(f))
}

func faultOfFilter(f *records.FilterFault) fault {
	if f.TooLong {
		return atParameter(f.Name, codeTooLong)
	}
	at := atParameter(f.Name, codeInvalid)
	at.Known = f.Known
	return at
}

// isCSV reads the format. A file has no pages.
func (q *query) isCSV() bool {
	format, known := q.values.Get("format"), []string{"json", "csv"}
	if format != "" && !slices.Contains(known, format) {
		q.found.add(fault{Parameter: "format", Code: codeInvalid, Known: known})
	}
	if format != "csv" {
		return false
	}
	for _, name := range []string{"cursor", "limit"} {
		if q.values.Has(name) {
			q.found.add(atParameter(name, codeInvalid))
		}
	}
	return true
}

// unread makes an answer of what a desk returns: a row that is not there, a cursor that is none, or a database that is
// away, which is told of once a second.
func (s *core) unread(c echo.Context, err error) error {
	if f, ok := errors.AsType[*records.FilterFault](err); ok {
		return &bindError{[]fault{faultOfFilter(f)}}
	}
	if errors.Is(err, records.ErrUnreadable) && c.Request().Context().Err() == nil {
		s.tellUnread.Do(func() { s.Logger.WarnContext(contextOf(c), "a look at the records failed", "error", err) })
	}
	return err
}
