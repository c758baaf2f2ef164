package httpapi

import (
	"context"

	"github.com/labstack/echo/v4"

	"smsd/internal/apikey"
	"smsd/internal/idempotency"
	"smsd/internal/sms"
)

// verifying is a code that somebody typed.
type verifying struct {
	asked
	verifyRequest
}

// verify answers POST /api/v1/sms/verify.
func (s *public) verify(c echo.Context, caller apikey.Caller) error {
	r := &verifying{asked: asked{api: s, c: c, caller: caller}}
	if err := c.Bind(&r.verifyRequest); err != nil {
		return err
	}
	if err := r.from(r.ClientIP); err != nil {
		return err
	}
	return r.once(r)
}

func (r *verifying) run(ctx context.Context, t *idempotency.Turn) (any, error) {
	verified, err := r.api.Service.Verify(ctx, r.attempt(t))
	if err != nil {
		return nil, held(t, err)
	}
	return newVerifiedAnswer(verified), nil
}

func (r *verifying) refusal(err error) error { return r.api.Service.VerifyRefusal(r.attempt(nil), err) }

func (r *verifying) attempt(t *idempotency.Turn) sms.VerifyRequest {
	return sms.VerifyRequest{
		App: r.caller.App, SMSID: r.SMSID, Code: r.Code, Scene: r.Scene, Phone: r.Phone, Nonce: r.Nonce,
		Client: r.client, Before: begin(t), Mark: mark(t),
	}
}
