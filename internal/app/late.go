package app

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/redisstore"
	"smsd/internal/throttle"
)

// late is a Redis that may be reached only after the service has started. Until then everything asked
// of it is unavailable.
type late struct {
	codes    redisstore.Options
	counters *redisstore.Options // nil: where the codes are
	reached  atomic.Pointer[reached]
	told     func(tags ...throttle.Tag) // hears of resets by others; set before open
}

// reached is the connections, and what the service uses of them.
type reached struct {
	clients  []*redisstore.Client
	counters throttle.Store
	codes    sms.Codes
}

// open connects to every server, or to none.
func (l *late) open(ctx context.Context) error {
	codes, err := redisstore.Open(ctx, l.codes)
	if err != nil {
		return fmt.Errorf("redis.url: %w", err)
	}
	r := &reached{[]*redisstore.Client{codes}, codes.CountersBesideCodes(), codes.Codes()}
	if l.counters != nil {
		counters, err := redisstore.Open(ctx, *l.counters)
		if err != nil {
			return errors.Join(fmt.Errorf("redis.counters_url: %w", err), codes.Close())
		}
		r.clients, r.counters = append(r.clients, counters), counters.Counters()
	}
	if herald, ok := r.counters.(throttle.Herald); ok && l.told != nil {
		herald.OnReset(l.told)
	}
	l.reached.Store(r)
	return nil
}

// clients returns the connections; none before they are reached.
func (l *late) clients() []*redisstore.Client {
	if r := l.reached.Load(); r != nil {
		return r.clients
	}
	return nil
}

func (l *late) ping(ctx context.Context) error {
	var failed []error
	for _, c := range l.clients() {
		failed = append(failed, c.Ping(ctx))
	}
	return errors.Join(failed...)
}

func (l *late) warnings() []string {
	var all []string
	for _, c := range l.clients() {
		all = append(all, c.Warnings()...)
	}
	return all
}

func (l *late) close() error {
	var failed []error
	for _, c := range l.clients() {
		failed = append(failed, c.Close())
	}
	return errors.Join(failed...)
}

// lateCounters is a [throttle.Store].
type lateCounters struct{ *late }

var (
	_ throttle.Store  = lateCounters{}
	_ throttle.Herald = lateCounters{}
)

// OnReset implements [throttle.Herald], from when the store is reached.
func (l lateCounters) OnReset(told func(tags ...throttle.Tag)) { l.told = told }

// with calls do with the store once it was reached.
func (l lateCounters) with(do func(throttle.Store) error) error {
	if r := l.reached.Load(); r != nil {
		return do(r.counters)
	}
	return throttle.ErrUnavailable
}

func (l lateCounters) Take(ctx context.Context, t throttle.Take) (taken throttle.Taken, err error) {
	err = l.with(func(s throttle.Store) error { taken, err = s.Take(ctx, t); return err })
	return taken, err
}

func (l lateCounters) Peek(ctx context.Context, t throttle.Take) (taken throttle.Taken, err error) {
	err = l.with(func(s throttle.Store) error { taken, err = s.Peek(ctx, t); return err })
	return taken, err
}

func (l lateCounters) Refund(ctx context.Context, r throttle.Refund) error {
	return l.with(func(s throttle.Store) error { return s.Refund(ctx, r) })
}

func (l lateCounters) Reset(ctx context.Context, tags ...throttle.Tag) error {
	return l.with(func(s throttle.Store) error { return s.Reset(ctx, tags...) })
}

// lateCodes is a [sms.Codes].
type lateCodes struct{ *late }

var _ sms.Codes = lateCodes{}

// with calls do with the store once it was reached.
func (l lateCodes) with(do func(sms.Codes) error) error {
	if r := l.reached.Load(); r != nil {
		return do(r.codes)
	}
	return sms.ErrUnavailable
}

func (l lateCodes) Put(ctx context.Context, id string, n sms.NewRecord) (now time.Time, err error) {
	err = l.with(func(s sms.Codes) error { now, err = s.Put(ctx, id, n); return err })
	return now, err
}

func (l lateCodes) Get(ctx context.Context, id string) (record sms.Record, err error) {
	err = l.with(func(s sms.Codes) error { record, err = s.Get(ctx, id); return err })
	return record, err
}

func (l lateCodes) Verify(ctx context.Context, id string, g sms.Guess) (record sms.Record, err error) {
	err = l.with(func(s sms.Codes) error { record, err = s.Verify(ctx, id, g); return err })
	return record, err
}

func (l lateCodes) Amend(ctx context.Context, id string, a sms.Amendment) error {
	return l.with(func(s sms.Codes) error { return s.Amend(ctx, id, a) })
}

func (l lateCodes) Delete(ctx context.Context, id string) error {
	return l.with(func(s sms.Codes) error { return s.Delete(ctx, id) })
}
