package httpapi

import (
	"context"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
	"smsd/internal/idempotency"
	"smsd/internal/sms"
)

// sending is a request for a code.
type sending struct {
	message
	sendRequest
}

// send answers POST /api/v1/sms/send.
func (s *public) send(c echo.Context, caller apikey.Caller) error {
	r := &sending{message: message{asked{api: s, c: c, caller: caller}}}
	if err := c.Bind(&r.sendRequest); err != nil {
		return err
	}
	if err := r.from(r.ClientIP); err != nil {
		return err
	}
	return r.once(r)
}

func (r *sending) run(ctx context.Context, t *idempotency.Turn) (any, error) {
	sent, err := r.api.Service.Send(ctx, r.order(t))
	return r.answer(t, sent, err)
}

func (r *sending) refusal(err error) error { return r.api.Service.SendRefusal(r.order(nil), err) }

func (r *sending) order(t *idempotency.Turn) sms.SendRequest {
	return sms.SendRequest{
		App: r.caller.App, Phone: r.Phone, Scene: r.Scene, Region: r.Region, Locale: r.Locale, DeviceID: r.DeviceID,
		Languages: languagesOf(r.c.Request().Header), Client: r.client, Before: begin(t),
	}
}

// languagesOf is the list of languages that a client takes: several fields are one list (RFC 9110, section 5.3). It is not
// among the content of a request under an Idempotency-Key: a browser's setting is nothing that the request asks for.
func languagesOf(h http.Header) string { return strings.Join(h["Accept-Language"], ",") }
