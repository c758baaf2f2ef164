package httpapi

import (
	"context"

	"github.com/labstack/echo/v4"

	"smsd/internal/address"
	"smsd/internal/idempotency"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// onceVerified is a verify. The entry's id is the mark on the code that it uses up, so that a success which nobody
// lived to answer is told from another's; where there is none, the verify may just as well be executed now.
func (s *public) onceVerified(c echo.Context, client address.Addr, content []string, nonce string, verify func(context.Context, sms.Before, sms.Hash) (sms.Verified, error)) error {
	return s.once(c, once{
		event: throttle.Verify, client: client, content: content, keep: keepVerified, longest: longestVerify, doubtful: usedUp,
		rebuild: s.rebuildVerified(callerOf(c).App, nonce),
		run: func(ctx context.Context, t *idempotency.Turn) ([]byte, error) {
			verified, err := verify(ctx, begin(t), mark(t))
			if err != nil {
				return nil, held(t, err)
			}
			return encode(newVerifiedAnswer(verified))
		},
	})
}

func mark(t *idempotency.Turn) sms.Hash {
	if t == nil {
		return sms.Hash{}
	}
	return sms.Hash(t.ID())
}

func (s *public) rebuildVerified(app, nonce string) func(context.Context, idempotency.Entry) ([]byte, error) {
	return func(ctx context.Context, e idempotency.Entry) ([]byte, error) {
		verified, err := s.Service.RecallVerified(ctx, sms.Success{
			App: app, SMSID: e.SMSID, Mark: sms.Hash(e.ID), Nonce: nonce, At: e.StartedAt, // to within a call of the store
		})
		if err != nil {
			return nil, recalled(err, idempotency.ErrNothingDone)
		}
		return encode(newVerifiedAnswer(verified))
	}
}
