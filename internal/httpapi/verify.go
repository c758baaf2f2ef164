package httpapi

import (
	"context"

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
	app := callerOf(c).App
	return s.onceVerified(c, client, in.content(), in.Nonce, func(ctx context.Context, before sms.Before, mark sms.Hash) (sms.Verified, error) {
		return s.Service.Verify(ctx, sms.VerifyRequest{
			App: app, SMSID: in.SMSID, Code: in.Code, Scene: in.Scene, Phone: in.Phone, Nonce: in.Nonce, Client: client,
			Before: before, Mark: mark,
		})
	})
}
