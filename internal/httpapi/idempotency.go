package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"smsd/internal/address"
	"smsd/internal/idempotency"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

const (
	headerIdempotencyKey      = "Idempotency-Key"
	headerIdempotencyReplayed = "Idempotency-Replayed"
)

// How long answers are kept. A day is what clients of payment APIs are used to, and longer than any queue tries again.
// A verify's answer is a proof: a minute is enough for a connection that broke.
const (
	keepSent     = 24 * time.Hour
	keepVerified = time.Minute
)

// How long requests run from their Begin to their answer: a gateway's 8 s in all (package gateway), each step on the
// stores well below a second, and what two instances' clocks may differ.
const (
	longestSend   = 15 * time.Second
	longestVerify = 5 * time.Second
)

// once is a request that is executed once under its key.
type once struct {
	event   throttle.Event
	client  address.Addr
	content []string
	keep    time.Duration
	longest time.Duration
	// run executes it and returns the body of its answer. turn is nil without a key.
	run func(ctx context.Context, turn *idempotency.Turn) ([]byte, error)
	// rebuild makes the answer anew; see [idempotency.Request].
	rebuild  func(ctx context.Context, e idempotency.Entry) ([]byte, error)
	doubtful func(error) bool
}

// once answers a request, under its Idempotency-Key if it has one.
func (s *public) once(c echo.Context, o once) error {
	ctx, given := c.Request().Context(), c.Request().Header.Values(headerIdempotencyKey)
	if len(given) == 0 {
		body, err := o.run(ctx, nil)
		if err != nil {
			return err
		}
		return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, body)
	}
	key, err := idempotency.ParseKey(given)
	if err != nil {
		return &bindError{[]fault{atHeader(headerIdempotencyKey, codeInvalid)}}
	}
	if s.Idempotency == nil || s.Local == nil {
		return fmt.Errorf("no place for keys: %w", idempotency.ErrUnavailable)
	}
	answer, err := s.Idempotency.Do(ctx, s.keyed(c, o, key), func(t *idempotency.Turn) ([]byte, error) { return o.run(ctx, t) })
	if err != nil {
		return err
	}
	if answer.Replayed {
		c.Response().Header().Set(headerIdempotencyReplayed, "true")
	}
	return c.Blob(http.StatusOK, echo.MIMEApplicationJSON, answer.Body)
}

func (s *public) keyed(c echo.Context, o once, key idempotency.Key) idempotency.Request {
	caller := callerOf(c)
	return idempotency.Request{
		App: caller.App, Caller: caller.Kind.Word(), Route: route(c), Key: key, Content: o.content, Keep: o.keep, Longest: o.longest,
		Gate: gate{s.Local, o.event, o.client}, Doubtful: o.doubtful, Rebuild: o.rebuild,
	}
}

// gate is the local limiters in front of the look-up of a key.
type gate struct {
	local  *throttle.Local
	event  throttle.Event
	client address.Addr
}

func (g gate) Ask() error   { return g.local.Ask(g.event, g.client) }
func (g gate) Allow() error { return g.local.Allow(g.event, g.client) }

// begin is the turn's Begin as the domain calls it; nil without a turn.
func begin(t *idempotency.Turn) sms.Before {
	if t == nil {
		return nil
	}
	return func(ctx context.Context, smsID string) error {
		err := t.Begin(ctx, smsID)
		switch {
		case errors.Is(err, idempotency.ErrInProgress):
			return fmt.Errorf("%w: %w", sms.ErrRepeated, err)
		case err != nil:
			return fmt.Errorf("%w: %w", sms.ErrUnavailable, err)
		}
		return nil
	}
}

// held is err, after the turn was told whether something may have been done all the same.
func held(t *idempotency.Turn, err error) error {
	if t != nil && typed[*sms.DoubtError](err) {
		t.Hold()
	}
	return err
}

// charged reports whether a twin's charge, and no layer in front of the store, may be why a message was refused.
func charged(err error) bool {
	denied, ok := errors.AsType[*throttle.Denied](err)
	return ok && denied.Rule != throttle.LocalAddress && denied.Rule != throttle.LocalProcess && denied.Rule != throttle.LocalBlock
}

// usedUp reports whether a twin may be who used the code up.
func usedUp(err error) bool { return errors.Is(err, sms.ErrUsed) }
