package httpapi

import (
	"net/http"

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
	sent, err := s.Service.Send(c.Request().Context(), sms.SendRequest{
		App: callerOf(c).App, Phone: in.Phone, Scene: in.Scene, Region: in.Region, Locale: in.Locale, DeviceID: in.DeviceID,
		Client: client,
	})
	if err != nil {
		return err
	}
	return s.sent(c, sent)
}

func (s *public) sent(c echo.Context, sent sms.Sent) error {
	if s.Dev || callerOf(c).Kind == apikey.Secret {
		setRateLimit(c.Response().Header(), sent.Usages())
	}
	return answer(c, http.StatusOK, newSentAnswer(sent))
}
