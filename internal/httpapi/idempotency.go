package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

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

// call is a request that is executed once under its key.
type call interface {
	terms() terms
	content() []string // see sendRequest
	// refusal is err, of a layer in front of it, or what is known to refuse it for longer.
	refusal(err error) error
	// run executes it and returns its answer, to be written as JSON. turn is nil without a key.
	run(ctx context.Context, turn *idempotency.Turn) (any, error)
	// rebuild makes the answer anew; see [idempotency.Request].
	rebuild(ctx context.Context, e idempotency.Entry) ([]byte, error)
}

// terms are how a kind of call is kept, and what it is counted as.
type terms struct {
	event    throttle.Event
	keep     time.Duration
	longest  time.Duration
	doubtful func(error) bool
}

// once answers with what comes of o, under the request's Idempotency-Key if it has one.
func (a *asked) once(o call) error {
	ctx, given := contextOf(a.c), a.c.Request().Header[headerIdempotencyKey]
	if len(given) > 0 {
		return a.underKey(ctx, given, o)
	}
	v, err := o.run(ctx, nil)
	if err != nil {
		return err
	}
	return a.api.answers.write(a.c, http.StatusOK, v)
}

func (a *asked) underKey(ctx context.Context, given []string, o call) error {
	key, err := idempotency.ParseKey(given)
	if err != nil {
		return &bindError{[]fault{atHeader(headerIdempotencyKey, codeInvalid)}}
	}
	if a.api.Idempotency == nil || a.api.Local == nil {
		return fmt.Errorf("no place for keys: %w", idempotency.ErrUnavailable)
	}
	answer, err := a.api.Idempotency.Do(ctx, a.keyed(o, key), func(t *idempotency.Turn) ([]byte, error) {
		v, err := o.run(ctx, t)
		if err != nil {
			return nil, err
		}
		return encode(v)
	})
	if err != nil {
		return err
	}
	if answer.Replayed {
		a.c.Response().Header().Set(headerIdempotencyReplayed, "true")
	}
	return blob(a.c, http.StatusOK, asJSON, answer.Body)
}

func (a *asked) keyed(o call, key idempotency.Key) idempotency.Request {
	t := o.terms()
	return idempotency.Request{
		App: a.caller.App, Caller: a.caller.Kind.Word(), Route: route(a.c), Key: key, Content: o.content(), Keep: t.keep, Longest: t.longest,
		Gate: gate{a.api.Local, t.event, a.client, o.refusal}, Doubtful: t.doubtful, Rebuild: o.rebuild,
	}
}

// gate is the local limiters in front of the look-up of a key.
type gate struct {
	local  *throttle.Local
	event  throttle.Event
	client address.Addr
	longer func(error) error
}

func (g gate) Ask() error   { return g.told(g.local.Ask(g.event, g.client)) }
func (g gate) Allow() error { return g.told(g.local.Allow(g.event, g.client)) }

// told is err with a wait that is true: a request without a key is told no other.
func (g gate) told(err error) error {
	if err == nil {
		return nil
	}
	return g.longer(err)
}

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
