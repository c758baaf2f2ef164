package httpapi

import (
	"context"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
	"smsd/internal/idempotency"
	"smsd/internal/sms"
)

// resending is a request for the message again.
type resending struct {
	message
	resendRequest
}

// resend answers POST /api/v1/sms/resend.
func (s *public) resend(c echo.Context, caller apikey.Caller) error {
	r := &resending{message: message{asked{api: s, c: c, caller: caller}}}
	if err := c.Bind(&r.resendRequest); err != nil {
		return err
	}
	if err := r.from(r.ClientIP); err != nil {
		return err
	}
	return r.once(r)
}

func (r *resending) run(ctx context.Context, t *idempotency.Turn) (any, error) {
	sent, err := r.api.Service.Resend(ctx, r.order(t))
	return r.answer(t, sent, err)
}

func (r *resending) refusal(err error) error { return r.api.Service.ResendRefusal(r.order(nil), err) }

func (r *resending) order(t *idempotency.Turn) sms.ResendRequest {
	return sms.ResendRequest{App: r.caller.App, SMSID: r.SMSID, DeviceID: r.DeviceID, Client: r.client, Before: begin(t)}
}
