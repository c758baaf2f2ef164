package memstore

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"smsd/internal/sms"
)

// DefaultMaxCodes is how many verifications are kept if Options.MaxCodes is 0. One takes about 400
// bytes (TestMemoryOfCodes measures it), so a full store takes about 110 MB. It holds 290 sends a
// second of codes that live 5 minutes and are told apart for 10 more.
const DefaultMaxCodes = 1 << 18

// shedPerPut bounds how many forgotten verifications one Put removes. Anything above one shrinks
// faster than Put grows; a bound keeps the first Put after a quiet hour from holding the lock for long.
const shedPerPut = 32

var (
	errFull   = fmt.Errorf("%w: memstore holds as many verifications as it may", sms.ErrUnavailable)
	errExists = errors.New("memstore: the sms_id is taken")
)

// Codes is a [sms.Codes]. It holds at most Options.MaxCodes verifications: a new one takes the place of
// forgotten ones, and if there are none it is refused with an error that unwraps to
// [sms.ErrUnavailable]. Safe for concurrent use.
type Codes struct {
	clock *Clock
	max   int

	mu    sync.Mutex
	byID  map[string]*verification
	queue forgetQueue
}

var _ sms.Codes = (*Codes)(nil)

// verification is one record and where it stands in the queue.
type verification struct {
	id     string
	record sms.Record // Now is not kept
	keep   time.Duration
	index  int
}

func (v *verification) forget() time.Time { return v.record.ExpiresAt.Add(v.keep) }

// NewCodes returns an empty one.
func NewCodes(o Options) *Codes {
	c := &Codes{clock: o.Clock, max: o.MaxCodes, byID: map[string]*verification{}}
	if c.clock == nil {
		c.clock = NewClock(nil)
	}
	if c.max == 0 {
		c.max = DefaultMaxCodes
	}
	return c
}

// Put implements [sms.Codes].
func (c *Codes) Put(ctx context.Context, id string, n sms.NewRecord) (time.Time, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now, err := c.now(ctx)
	if err != nil {
		return time.Time{}, err
	}
	if err := c.put(id, n, now); err != nil {
		return time.Time{}, err
	}
	return now, nil
}

// put is Put at an instant. c.mu is held.
func (c *Codes) put(id string, n sms.NewRecord, now time.Time) error {
	c.shed(now)
	if old := c.byID[id]; old != nil && now.Before(old.forget()) {
		return errExists
	} else if old != nil {
		c.remove(old)
	}
	if len(c.byID) >= c.max {
		return errFull
	}
	c.add(newVerification(id, n, now))
	return nil
}

func newVerification(id string, n sms.NewRecord, now time.Time) *verification {
	return &verification{id: id, keep: n.Keep, record: sms.Record{
		App: n.App, Scene: n.Scene, Code: n.Code, Phone: n.Phone,
		Length: n.Length, AttemptsLeft: n.Attempts, Sealed: clone(n.Sealed),
		CreatedAt: now, ExpiresAt: now.Add(n.TTL),
	}}
}

// Get implements [sms.Codes].
func (c *Codes) Get(ctx context.Context, id string) (sms.Record, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, now, err := c.find(ctx, id)
	if err != nil {
		return sms.Record{}, err
	}
	return v.at(now), nil
}

// Amend implements [sms.Codes].
func (c *Codes) Amend(ctx context.Context, id string, a sms.Amendment) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, now, err := c.find(ctx, id)
	if err != nil {
		return err
	}
	if err := v.at(now).State(); err != nil {
		return err
	}
	v.amend(a)
	c.queue.fix(v)
	return nil
}

func (v *verification) amend(a sms.Amendment) {
	if a.ExpiresIn != 0 {
		v.record.ExpiresAt = v.record.CreatedAt.Add(a.ExpiresIn)
	}
	if a.Code != (sms.Hash{}) {
		v.record.Code = a.Code
	}
	if len(a.Sealed) > 0 {
		v.record.Sealed = clone(a.Sealed)
	}
}

// Delete implements [sms.Codes].
func (c *Codes) Delete(ctx context.Context, id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.now(ctx); err != nil {
		return err
	}
	if v := c.byID[id]; v != nil {
		c.remove(v)
	}
	return nil
}

// Len returns how many verifications take up room, forgotten ones among them.
func (c *Codes) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.byID)
}

// now reads the clock, unless ctx says that nobody waits for the answer any more.
func (c *Codes) now(ctx context.Context) (time.Time, error) {
	if err := ctx.Err(); err != nil {
		return time.Time{}, fmt.Errorf("%w: %w", sms.ErrUnavailable, err)
	}
	return c.clock.Now(), nil
}

// find returns the verification that is not forgotten.
func (c *Codes) find(ctx context.Context, id string) (*verification, time.Time, error) {
	now, err := c.now(ctx)
	if err != nil {
		return nil, now, err
	}
	v := c.findAt(id, now)
	if v == nil {
		return nil, now, sms.ErrNotFound
	}
	return v, now, nil
}

// findAt returns the verification that is not forgotten by now; nil: there is none.
func (c *Codes) findAt(id string, now time.Time) *verification {
	if v := c.byID[id]; v != nil && now.Before(v.forget()) {
		return v
	}
	return nil
}

// at returns a copy of the record as read at now.
func (v *verification) at(now time.Time) sms.Record {
	r := v.record
	r.Now, r.Sealed = now, clone(r.Sealed)
	return r
}

func clone(b []byte) []byte { return append([]byte(nil), b...) }
