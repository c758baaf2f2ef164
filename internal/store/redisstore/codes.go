package redisstore

import (
	"context"
	"errors"
	"time"

	"smsd/internal/sms"
)

// codes is a [sms.Codes].
type codes struct{ *Client }

var _ sms.Codes = codes{}

// Codes returns the [sms.Codes] on c.
func (c *Client) Codes() sms.Codes { return codes{c} }

// The statuses of the code scripts, as in code_value.lua.
const (
	codeNone      = 0
	codeDone      = 1
	codeWrong     = 2
	codeLength    = 3
	codeUsed      = 4
	codeExhausted = 5
	codeExpired   = 6
)

var errExists = errors.New("redisstore: the sms_id is taken")

// Put implements [sms.Codes].
func (c codes) Put(ctx context.Context, id string, n sms.NewRecord) (time.Time, error) {
	packed, err := packNew(n)
	if err != nil {
		return time.Time{}, err
	}
	r, err := c.run(ctx, call{script: &c.scripts.CodePut, keys: c.key(id), args: []any{packed}})
	switch {
	case err != nil:
		return time.Time{}, failed(sms.ErrUnavailable, "put", err)
	case r.status != codeDone:
		return time.Time{}, errExists
	}
	return r.at, nil
}

// Get implements [sms.Codes].
func (c codes) Get(ctx context.Context, id string) (sms.Record, error) {
	r, err := c.run(ctx, call{script: &c.scripts.CodeGet, keys: c.key(id), reads: true, value: true})
	if err != nil {
		return sms.Record{}, failed(sms.ErrUnavailable, "get", err)
	}
	return c.record(r, "get")
}

// Verify implements [sms.Codes].
func (c codes) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	packed, err := packGuess(g)
	if err != nil {
		return sms.Record{}, err
	}
	r, err := c.run(ctx, call{script: &c.scripts.CodeVerify, keys: c.key(id), args: []any{packed}, value: true})
	if err != nil {
		return sms.Record{}, failed(sms.ErrUnavailable, "verify", err)
	}
	return c.record(r, "verify")
}

// Amend implements [sms.Codes].
func (c codes) Amend(ctx context.Context, id string, a sms.Amendment) error {
	if err := checkAmendment(a); err != nil {
		return err
	}
	args := []any{a.ExpiresIn.Milliseconds(), appendHashes(nil, a.Code), a.Sealed}
	r, err := c.run(ctx, call{script: &c.scripts.CodeAmend, keys: c.key(id), args: args})
	if err != nil {
		return failed(sms.ErrUnavailable, "amend", err)
	}
	return outcome(r.status, 0)
}

// Delete implements [sms.Codes].
func (c codes) Delete(ctx context.Context, id string) error {
	if _, err := c.run(ctx, call{script: &c.scripts.CodeDelete, keys: c.key(id)}); err != nil {
		return failed(sms.ErrUnavailable, "delete", err)
	}
	return nil
}

func (c codes) key(id string) []string { return []string{c.keys.code(id)} }

// record reads the value and the outcome of a reply.
func (c codes) record(r reply, operation string) (sms.Record, error) {
	if r.status == codeNone {
		return sms.Record{}, sms.ErrNotFound
	}
	record, err := unpackRecord(r.value)
	if err != nil {
		return sms.Record{}, failed(sms.ErrUnavailable, operation, err)
	}
	record.Now = r.at
	return record, outcome(r.status, record.AttemptsLeft)
}

func outcome(status int64, left int) error {
	switch status {
	case codeDone:
		return nil
	case codeNone:
		return sms.ErrNotFound
	case codeWrong:
		return &sms.IncorrectError{AttemptsLeft: left}
	case codeLength:
		return sms.ErrCodeFormat
	case codeUsed:
		return sms.ErrUsed
	case codeExhausted:
		return sms.ErrAttemptsExhausted
	case codeExpired:
		return sms.ErrExpired
	}
	return failed(sms.ErrUnavailable, "code", errReply)
}
