package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
	"smsd/internal/sms"
)

// send answers POST /api/v1/sms/send.
func (s *public) send(c echo.Context) error {
	var in sendRequest
	if err := c.Bind(&in); err != nil {
		return err
	}
	client, err := s.clientOf(c, in.ClientIP)
	if err != nil {
		return err
	}
	app := callerOf(c).App
	return s.onceSent(c, client, in.content(), func(ctx context.Context, before sms.Before) (sms.Sent, error) {
		return s.Service.Send(ctx, sms.SendRequest{
			App: app, Phone: in.Phone, Scene: in.Scene, Region: in.Region, Locale: in.Locale, DeviceID: in.DeviceID,
			Languages: languagesOf(c.Request().Header), Client: client, Before: before,
		})
	})
}

// languagesOf is the list of languages that a client takes: several fields are one list (RFC 9110, section 5.3). It is not
// among the content of a request under an Idempotency-Key: a browser's setting is nothing that the request asks for.
func languagesOf(h http.Header) string { return strings.Join(h.Values("Accept-Language"), ",") }

// tellLimits writes the RateLimit fields, for those who may see them.
func (s *public) tellLimits(c echo.Context, sent sms.Sent) {
	if s.Dev || callerOf(c).Kind == apikey.Secret {
		setRateLimit(c.Response().Header(), sent.Usages())
	}
}
