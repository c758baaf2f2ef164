package redisstore

import (
	"context"

	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// besideCodes is a [throttle.Store] that stores a code along with its charge.
type besideCodes struct{ counters }

var _ throttle.Store = besideCodes{}

// CountersBesideCodes returns the [throttle.Store] on c where c has the codes too, so that it does a
// [sms.PutErrand] in the step of the charge; in a cluster, where the code has a slot of its own, it leaves it alone.
func (c *Client) CountersBesideCodes() throttle.Store { return besideCodes{counters{c}} }

// Take implements [throttle.Store].
func (c besideCodes) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	put, known := t.Errand.(*sms.PutErrand)
	if !known || t.Force || c.servers.layout().spread() { // there the code is on another server, as a rule
		return c.counters.Take(ctx, t)
	}
	keys, args := c.grouped(&room{}, t.Groups, modeSend, t.ID)
	record, err := packNew(put.Record)
	if err != nil {
		return throttle.Taken{}, err
	}
	r, err := c.run(ctx, call{script: &c.scripts.Send, keys: append(keys, c.keys.code(put.ID)), args: append(args, record)})
	return answer(t, modeSend, r, err)
}
