package httpapi

import (
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
	"smsd/internal/records"
)

// statusAnswer is the life of a verification as its app's backend sees it. What a message cost and through whom it went
// is the operator's.
type statusAnswer struct {
	SMSID       string    `json:"sms_id"`
	Scene       string    `json:"scene"`
	State       string    `json:"state"`
	Phone       string    `json:"phone,omitzero"` // masked; none once it was erased
	Country     string    `json:"country"`
	Delivery    string    `json:"delivery,omitzero"`
	Resends     int       `json:"resends"`
	CreatedAt   time.Time `json:"created_at"`
	ExpiresAt   time.Time `json:"expires_at"`
	DeliveredAt time.Time `json:"delivered_at,omitzero"`
	VerifiedAt  time.Time `json:"verified_at,omitzero"`
	FailedAt    time.Time `json:"failed_at,omitzero"`
}

func newStatusAnswer(v records.ListedVerification) *statusAnswer {
	return &statusAnswer{
		SMSID: v.SMSID, Scene: v.Scene, State: string(v.State), Phone: v.Phone, Country: v.Country,
		Delivery: v.Fate.Delivery, Resends: v.Fate.Resends, CreatedAt: v.CreatedAt, ExpiresAt: v.ExpiresAt,
		DeliveredAt: v.Fate.DeliveredAt, VerifiedAt: v.Fate.VerifiedAt, FailedAt: v.Fate.FailedAt,
	}
}

// status answers GET /api/v1/sms/SMS_ID to servers of the verification's own app. Another app's is as one that
// never was.
func (s *public) status(c echo.Context, caller apikey.Caller) error {
	if err := newQuery(c).err(); err != nil {
		return err
	}
	id := strings.ToLower(c.Param("sms_id")) // as a verify takes it
	found, err := s.Desk.Verification(contextOf(c), caller.App, id)
	if err != nil {
		return s.unread(c, err)
	}
	return answer(c, http.StatusOK, newStatusAnswer(found))
}

// uuidText is the length of an sms_id.
const uuidText = 36

// statusRoutes registers the status of a verification. A wildcard would take the names beside it for ids, and a call that is
// mistyped for an id too: what it says to other methods is said here.
func (s *public) statusRoutes(e *echo.Echo) {
	read(e, "/api/v1/sms/:sms_id", s.callers.secretOnly(s.status))
	e.RouteNotFound("/api/v1/sms/:sms_id", statusOnly)
	for _, name := range []string{"send", "resend", "verify"} {
		read(e, "/api/v1/sms/"+name, postOnly)
		e.RouteNotFound("/api/v1/sms/"+name, postOnly)
	}
}

// postOnly answers as an echo without the wildcard would.
func postOnly(c echo.Context) error { return only(c, "OPTIONS, POST") }

// statusOnly answers what is no GET of a status: of a path that holds no id, that there is nothing.
func statusOnly(c echo.Context) error {
	_, id, _ := strings.Cut(c.Request().URL.Path, "/sms/") // the router keeps no parameter of a path that no method fits
	if len(id) != uuidText {
		return echo.ErrNotFound
	}
	return only(c, "OPTIONS, GET, HEAD")
}

// only answers a method that is not among those allowed.
func only(c echo.Context, allowed string) error {
	c.Response().Header().Set(echo.HeaderAllow, allowed)
	if c.Request().Method == http.MethodOptions {
		return c.NoContent(http.StatusNoContent)
	}
	return echo.ErrMethodNotAllowed
}
