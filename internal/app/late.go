package app

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/store/redisstore"
	"smsd/internal/throttle"
)

// late is a Redis that may be reached only after the service has started. Until then everything asked
// of it is unavailable.
type late struct{ reached atomic.Pointer[reached] }

// reached is the connections, and what the service uses of them.
type reached struct {
	clients  []*redisstore.Client
	counters throttle.Store
	codes    sms.Codes
}

func newLate() *late { return &late{} }

// reach opens the Redis at url and, if countersURL is another one, that too.
func (l *late) reach(ctx context.Context, url, countersURL secret.Text, open func(context.Context, secret.Text) (*redisstore.Client, error)) error {
	codes, err := open(ctx, url)
	if err != nil {
		return fmt.Errorf("redis.url: %w", err)
	}
	r := &reached{clients: []*redisstore.Client{codes}, counters: codes.Counters(), codes: codes.Codes()}
	if !countersURL.IsZero() && countersURL != url {
		counters, err := open(ctx, countersURL)
		if err != nil {
			return errors.Join(fmt.Errorf("redis.counters_url: %w", err), codes.Close())
		}
		r.clients, r.counters = append(r.clients, counters), counters.Counters()
	}
	l.reached.Store(r)
	return nil
}

func (l *late) ping(ctx context.Context) error {
	r := l.reached.Load()
	if r == nil {
		return throttle.ErrUnavailable
	}
	var failed []error
	for _, c := range r.clients {
		failed = append(failed, c.Ping(ctx))
	}
	return errors.Join(failed...)
}

func (l *late) close() error {
	r := l.reached.Load()
	if r == nil {
		return nil
	}
	var failed []error
	for _, c := range r.clients {
		failed = append(failed, c.Close())
	}
	return errors.Join(failed...)
}

// lateCounters is a [throttle.Store].
type lateCounters struct{ *late }

var _ throttle.Store = lateCounters{}

// counters calls do with the store once it was reached.
func (l lateCounters) counters(do func(throttle.Store) error) error {
	if r := l.reached.Load(); r != nil {
		return do(r.counters)
	}
	return throttle.ErrUnavailable
}

func (l lateCounters) Take(ctx context.Context, t throttle.Take) (taken throttle.Taken, err error) {
	err = l.counters(func(s throttle.Store) error { taken, err = s.Take(ctx, t); return err })
	return taken, err
}

func (l lateCounters) Peek(ctx context.Context, t throttle.Take) (taken throttle.Taken, err error) {
	err = l.counters(func(s throttle.Store) error { taken, err = s.Peek(ctx, t); return err })
	return taken, err
}

func (l lateCounters) Refund(ctx context.Context, r throttle.Refund) error {
	return l.counters(func(s throttle.Store) error { return s.Refund(ctx, r) })
}

func (l lateCounters) Reset(ctx context.Context, tags ...throttle.Tag) error {
	return l.counters(func(s throttle.Store) error { return s.Reset(ctx, tags...) })
}

// lateCodes is a [sms.Codes].
type lateCodes struct{ *late }

var _ sms.Codes = lateCodes{}

// codes calls do with the store once it was reached.
func (l lateCodes) codes(do func(sms.Codes) error) error {
	if r := l.reached.Load(); r != nil {
		return do(r.codes)
	}
	return sms.ErrUnavailable
}

func (l lateCodes) Put(ctx context.Context, id string, n sms.NewRecord) (now time.Time, err error) {
	err = l.codes(func(s sms.Codes) error { now, err = s.Put(ctx, id, n); return err })
	return now, err
}

func (l lateCodes) Get(ctx context.Context, id string) (record sms.Record, err error) {
	err = l.codes(func(s sms.Codes) error { record, err = s.Get(ctx, id); return err })
	return record, err
}

func (l lateCodes) Verify(ctx context.Context, id string, g sms.Guess) (record sms.Record, err error) {
	err = l.codes(func(s sms.Codes) error { record, err = s.Verify(ctx, id, g); return err })
	return record, err
}

func (l lateCodes) Amend(ctx context.Context, id string, a sms.Amendment) error {
	return l.codes(func(s sms.Codes) error { return s.Amend(ctx, id, a) })
}

func (l lateCodes) Delete(ctx context.Context, id string) error {
	return l.codes(func(s sms.Codes) error { return s.Delete(ctx, id) })
}
