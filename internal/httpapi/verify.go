package httpapi

import (
	"net/http"

	"github.com/labstack/echo/v4"

	"smsd/internal/sms"
)

// verify answers POST /api/v1/sms/verify.
func (s *public) verify(c echo.Context) error {
	var in verifyRequest
	if err := c.Bind(&in); err != nil {
		return err
	}
	client, err := s.clientOf(c, in.ClientIP)
	if err != nil {
		return err
	}
	verified, err := s.Service.Verify(c.Request().Context(), sms.VerifyRequest{
		App: callerOf(c).App, SMSID: in.SMSID, Code: in.Code, Scene: in.Scene, Phone: in.Phone, Client: client,
	})
	if err != nil {
		return err
	}
	return answer(c, http.StatusOK, &verifiedAnswer{
		Verified: true, SMSID: verified.SMSID, Scene: verified.Scene, Phone: verified.Phone.E164(),
		VerifiedAt: verified.VerifiedAt.UTC(),
	})
}
