package httpapi

import (
	"github.com/labstack/echo/v4"

	"smsd/internal/sms"
)

// resend answers POST /api/v1/sms/resend.
func (s *public) resend(c echo.Context) error {
	var in resendRequest
	if err := c.Bind(&in); err != nil {
		return err
	}
	client, err := s.clientOf(c, in.ClientIP)
	if err != nil {
		return err
	}
	sent, err := s.Service.Resend(c.Request().Context(), sms.ResendRequest{
		App: callerOf(c).App, SMSID: in.SMSID, DeviceID: in.DeviceID, Client: client,
	})
	if err != nil {
		return err
	}
	return s.sent(c, sent)
}
