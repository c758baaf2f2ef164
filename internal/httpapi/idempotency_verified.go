package httpapi

import (
	"context"

	"smsd/internal/idempotency"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

func (*verifying) terms() terms {
	return terms{event: throttle.Verify, keep: keepVerified, longest: longestVerify, doubtful: usedUp}
}

// mark is the entry's id: the mark on the code that a verify uses up, so that a success which nobody lived to answer is told from
// another's. Where there is none, the verify may just as well be executed now.
func mark(t *idempotency.Turn) sms.Hash {
	if t == nil {
		return sms.Hash{}
	}
	return sms.Hash(t.ID())
}

func (r *verifying) rebuild(ctx context.Context, e idempotency.Entry) ([]byte, error) {
	verified, err := r.api.Service.RecallVerified(ctx, sms.Success{
		App: r.caller.App, SMSID: e.SMSID, Mark: sms.Hash(e.ID), Nonce: r.Nonce, At: e.StartedAt, // to within a call of the store
	})
	if err != nil {
		return nil, recalled(err, idempotency.ErrNothingDone)
	}
	return encode(newVerifiedAnswer(verified))
}
