package httpapi

import (
	"context"
	"errors"

	"github.com/labstack/echo/v4"

	"smsd/internal/address"
	"smsd/internal/idempotency"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// onceSent is a send or a resend.
func (s *public) onceSent(c echo.Context, client address.Addr, content []string, send func(context.Context, sms.Before) (sms.Sent, error)) error {
	return s.once(c, once{
		event: throttle.Send, client: client, content: content, keep: keepSent, longest: longestSend, doubtful: charged,
		rebuild: s.rebuildSent(callerOf(c).App),
		run: func(ctx context.Context, t *idempotency.Turn) ([]byte, error) {
			sent, err := send(ctx, begin(t))
			if err != nil {
				return nil, held(t, err)
			}
			s.tellLimits(c, sent)
			return encode(newSentAnswer(sent))
		},
	})
}

// rebuildSent tells what the verification still tells, while it is live.
func (s *public) rebuildSent(app string) func(context.Context, idempotency.Entry) ([]byte, error) {
	return func(ctx context.Context, e idempotency.Entry) ([]byte, error) {
		sent, err := s.Service.Recall(ctx, app, e.SMSID)
		if err != nil {
			return nil, recalled(err, idempotency.ErrOutcomeUnknown)
		}
		return encode(newSentAnswer(sent))
	}
}

// recalled is what a look for an answer comes to that found none.
func recalled(err, none error) error {
	if errors.Is(err, sms.ErrUnavailable) {
		return err
	}
	return none
}

// The content of a request is what its body asks for. Where it came from is not in it, client_ip neither: who goes from
// one network to another repeats the same request, and to call that another one would make nobody safer. The locale
// is in it, since it is another message in another language, and so is the device, which limits count.

func (r *sendRequest) content() []string {
	return []string{r.Phone, r.Scene, r.Region, r.Locale, r.DeviceID}
}

func (r *resendRequest) content() []string { return []string{r.SMSID, r.DeviceID} }

func (r *verifyRequest) content() []string {
	return []string{r.SMSID, r.Code, r.Scene, r.Phone, r.Nonce}
}
