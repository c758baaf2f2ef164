package httpapi

import (
	"context"
	"errors"

	"smsd/internal/apikey"
	"smsd/internal/idempotency"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// message is what a send and a resend have in common.
type message struct{ asked }

func (*message) terms() terms {
	return terms{event: throttle.Send, keep: keepSent, longest: longestSend, doubtful: charged}
}

// answer is a message's answer.
func (m *message) answer(t *idempotency.Turn, sent sms.Sent, err error) (any, error) {
	if err != nil {
		return nil, held(t, err)
	}
	m.tellLimits(sent)
	return newSentAnswer(sent), nil
}

// tellLimits writes the RateLimit fields, for those who may see them.
func (m *message) tellLimits(sent sms.Sent) {
	if m.api.Dev || m.caller.Kind == apikey.Secret {
		setRateLimit(m.c.Response().Header(), sent.Usages())
	}
}

// rebuild tells what the verification still tells, while it is live.
func (m *message) rebuild(ctx context.Context, e idempotency.Entry) ([]byte, error) {
	sent, err := m.api.Service.Recall(ctx, m.caller.App, e.SMSID)
	if err != nil {
		return nil, recalled(err, idempotency.ErrOutcomeUnknown)
	}
	return encode(newSentAnswer(sent))
}

// recalled is what a look for an answer comes to that found none.
func recalled(err, none error) error {
	if errors.Is(err, sms.ErrUnavailable) {
		return err
	}
	return none
}
