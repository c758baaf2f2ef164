package httpapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/address"
	"smsd/internal/phone"
)

// query reads parameters and gathers what is wrong with them.
type query struct {
	values url.Values
	found  bindError
	phone  error // of a number that can't be read: a problem of its own
}

// newQuery takes the request's parameters; one that is not among names, or is there twice, is a fault.
func newQuery(c echo.Context, names ...string) *query {
	q := &query{values: c.QueryParams()}
	for name, values := range q.values {
		switch {
		case !slices.Contains(names, name):
			q.unknown(name)
		case len(values) > 1:
			q.found.add(atParameter(name, codeDuplicate))
		}
	}
	return q
}

// unknown repeats a name no more than a pointer does.
func (q *query) unknown(name string) {
	if at := pointerTo(name); at != "" {
		q.found.add(atParameter(name, codeUnknown))
		return
	}
	q.found.add(atPointer("", codeUnknown))
}

// err is what is wrong, or nil.
func (q *query) err() error {
	if len(q.found.faults) > 0 {
		return &q.found
	}
	return q.phone
}

// text returns a parameter of at most 64 bytes.
func (q *query) text(name string) string {
	v := q.values.Get(name)
	if len(v) > 64 {
		q.found.add(atParameter(name, codeTooLong))
		return ""
	}
	return v
}

// number returns a telephone number; the zero one if there is none.
func (q *query) number(name string) phone.Number {
	raw := q.text(name)
	if raw == "" {
		return phone.Number{}
	}
	// A + that nobody escaped arrives as a blank (HTML, URL-encoded form data).
	if strings.HasPrefix(raw, " ") {
		raw = "+" + raw[1:]
	}
	n, err := phone.Parse(raw, "")
	if err != nil {
		q.phone = err
	}
	return n
}

// address returns a client address; the zero one if there is none.
func (q *query) address(name string) address.Addr {
	raw := q.text(name)
	if raw == "" {
		return address.Addr{}
	}
	a, err := address.Parse(raw)
	if err != nil {
		q.found.add(atParameter(name, codeInvalid))
	}
	return a
}

// instant returns an RFC 3339 instant, fractions kept; the zero one if there is none.
func (q *query) instant(name string) time.Time {
	raw := q.text(name)
	if raw == "" {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339Nano, strings.ReplaceAll(raw, " ", "+"))
	if err != nil {
		q.found.add(atParameter(name, codeInvalid))
	}
	return t
}

// span returns a duration of 0 to most, as "10s"; usual if there is none.
func (q *query) span(name string, usual, most time.Duration) time.Duration {
	raw := q.text(name)
	if raw == "" {
		return usual
	}
	d, err := time.ParseDuration(raw)
	if err != nil || d < 0 || d > most {
		q.found.add(atParameter(name, codeInvalid))
	}
	return d
}

// count returns a number of 1 to most; most if there is none.
func (q *query) count(name string, most int) int {
	raw := q.text(name)
	if raw == "" {
		return most
	}
	n, err := strconv.Atoi(raw)
	if err != nil || n < 1 || n > most {
		q.found.add(atParameter(name, codeInvalid))
	}
	return n
}
