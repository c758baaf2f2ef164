package httpapi

import (
	"errors"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/records"
)

// Bounds of exports. Each holds a page of rows and a connection to the database for as long as its client reads.
const (
	maxExports = 2
	maxExport  = time.Hour
)

var errTooManyExports = errors.New("httpapi: too many exports")

// exportCSV answers with every row of a search. It may take long, so its deadlines move on with each page; it ends with
// the client, and when the server is shut down. What fails on the way cuts the answer off: a file that ends early without a
// word would be taken for the whole.
func (s *admin) exportCSV(c echo.Context, of records.Listing, search records.Search) error {
	file := &download{c: c, control: http.NewResponseController(c.Response().Writer), name: string(of) + ".csv"}
	if c.Request().Method == http.MethodHead {
		_, err := file.Write(nil)
		return err
	}
	select {
	case s.exports <- struct{}{}:
		defer func() { <-s.exports }()
	default:
		return errTooManyExports
	}
	ctx, cancel := s.untilStopping(contextOf(c), maxExport)
	defer cancel()
	extend(c, records.PageTimeout)
	if err := s.Desk.WriteCSV(ctx, file, search); err != nil {
		return s.unread(c, err)
	}
	return nil
}

// download is an answer that is written page by page.
type download struct {
	c       echo.Context
	control *http.ResponseController
	name    string
}

// Write names what is answered when its first bytes are there (RFC 4180, section 3; RFC 6266): until then it may still
// be a problem.
func (d *download) Write(p []byte) (int, error) {
	if r := d.c.Response(); !r.Committed {
		r.Header().Set(echo.HeaderContentType, "text/csv; charset=utf-8; header=present")
		r.Header().Set(echo.HeaderContentDisposition, `attachment; filename="`+d.name+`"`)
	}
	return d.c.Response().Write(p)
}

// Flush sends on what there is, and makes time for the next page.
func (d *download) Flush() error {
	if err := d.control.Flush(); err != nil {
		return err
	}
	extend(d.c, records.PageTimeout)
	return nil
}
