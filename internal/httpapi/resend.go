package httpapi

import (
	"context"

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
	app := callerOf(c).App
	return s.onceSent(c, client, in.content(), func(ctx context.Context, before sms.Before) (sms.Sent, error) {
		return s.Service.Resend(ctx, sms.ResendRequest{
			App: app, SMSID: in.SMSID, DeviceID: in.DeviceID, Client: client, Before: before,
		})
	})
}
