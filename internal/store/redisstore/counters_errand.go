package redisstore

import (
	"context"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// besideCodes is a [throttle.Store] that stores a code, or compares one, along with its charge.
type besideCodes struct{ counters }

var _ throttle.Store = besideCodes{}

// CountersBesideCodes returns the [throttle.Store] on c where c has the codes too, so that it does a [sms.PutErrand] and
// a [sms.VerifyErrand] in the step of the charge; in a cluster, where the code has a slot of its own, it leaves them alone.
func (c *Client) CountersBesideCodes() throttle.Store { return besideCodes{counters{c}} }

// Take implements [throttle.Store].
func (c besideCodes) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if t.Force || c.servers.layout().spread() { // there the code is on another server, as a rule
		return c.counters.Take(ctx, t)
	}
	switch errand := t.Errand.(type) {
	case *sms.PutErrand:
		return c.put(ctx, t, errand)
	case *sms.VerifyErrand:
		return c.verify(ctx, t, errand)
	}
	return c.counters.Take(ctx, t)
}

func (c besideCodes) put(ctx context.Context, t throttle.Take, put *sms.PutErrand) (throttle.Taken, error) {
	keys, args := c.grouped(&room{}, t.Groups, modeSend, t.ID)
	record, err := packNew(put.Record)
	if err != nil {
		return throttle.Taken{}, err
	}
	r, err := c.run(ctx, call{script: &c.scripts.Send, keys: append(keys, c.keys.code(put.ID)), args: append(args, record)})
	return answer(t, modeSend, r, err)
}

// verify fills in errand where the event is allowed. A guess of another length is free, and the rest of the answer then is
// as Peek's.
func (c besideCodes) verify(ctx context.Context, t throttle.Take, errand *sms.VerifyErrand) (throttle.Taken, error) {
	keys, args := c.grouped(&room{}, t.Groups, modeVerify, t.ID)
	guess, err := packGuess(errand.Guess)
	if err != nil {
		return throttle.Taken{}, err
	}
	r, err := c.run(ctx, call{script: &c.scripts.Verify, keys: append(keys, c.keys.code(errand.ID)), args: append(args, guess), tail: true})
	if err != nil || r.status != statusDone {
		return answer(t, modeVerify, r, err)
	}
	compared, err := valueReply(r.value)
	mode, free := modeVerify, compared.status == codeLength
	if free {
		mode = modePeek
	}
	taken, err := answer(t, mode, r, err)
	if err != nil {
		return taken, err
	}
	taken.Free, compared.at = free, r.at
	errand.Record, errand.Err = codes{c.Client}.record(compared, "verify")
	return taken, nil
}
