package httpapi

import (
	"net/http"
	"time"

	"github.com/labstack/echo/v4"
)

// resetLimits answers DELETE /mock/limits: a test may run again. Without app it is the default one.
func (s *admin) resetLimits(c echo.Context) error {
	q := newQuery(c, "phone", "ip", "app")
	number, client, app := q.number("phone"), q.address("ip"), q.text("app")
	if err := q.err(); err != nil {
		return err
	}
	if number.IsZero() && client.IsZero() {
		return &bindError{[]fault{atParameter("phone", codeRequired)}}
	}
	if err := s.Service.ResetLimits(contextOf(c), app, number, client); err != nil {
		return err
	}
	return c.NoContent(http.StatusNoContent)
}

// maxAdvance is the longest step of the clock: the longest window that a rule may have.
const maxAdvance = 30 * 24 * time.Hour

// advanceClock answers POST /mock/clock.
func (s *admin) advanceClock(c echo.Context) error {
	var in clockRequest
	if err := c.Bind(&in); err != nil {
		return err
	}
	d, err := time.ParseDuration(in.Advance)
	if err != nil || d <= 0 || d > maxAdvance {
		return &bindError{[]fault{atPointer("/advance", codeInvalid)}}
	}
	if s.Advance == nil {
		return errClockFixed
	}
	s.Advance(d)
	return c.NoContent(http.StatusNoContent)
}
