package sms_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"smsd/internal/gateway/mock"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// failingCounters is a counters' store of which some calls fail.
type failingCounters struct {
	throttle.Store
	take, refund, force bool
}

func (f *failingCounters) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if f.take && !t.Force || f.force && t.Force {
		return throttle.Taken{}, throttle.ErrUnavailable
	}
	return f.Store.Take(ctx, t)
}

func (f *failingCounters) Refund(ctx context.Context, r throttle.Refund) error {
	if f.refund {
		return throttle.ErrUnavailable
	}
	return f.Store.Refund(ctx, r)
}

// outage is a rig whose stores fail when told to.
func outage(t *testing.T, text string) (*rig, *failing, *failingCounters) {
	codes, counters := &failing{}, &failingCounters{}
	r := newRig(t, setup{
		policy:   text,
		codes:    func(c sms.Codes) sms.Codes { codes.Codes = c; return codes },
		counters: func(s throttle.Store) throttle.Store { counters.Store = s; return counters },
	})
	return r, codes, counters
}

// cron-job.org#446, altarwed#637: counters away: unavailable, and nothing sent or stored.
func TestSendWithoutCounters(t *testing.T) {
	t.Parallel()
	r, _, counters := outage(t, "")
	counters.take = true
	r.sendFails(ask(alice), sms.ErrUnavailable)
	r.countMessages(alice, 0)
	counters.take = false
	r.send(ask(alice))
}

// A code that can't be stored is not sent, and costs nothing.
func TestSendWithoutCodes(t *testing.T) {
	t.Parallel()
	r, codes, counters := outage(t, "")
	codes.put = true
	r.sendFails(ask(alice), sms.ErrUnavailable)
	r.countMessages(alice, 0)
	codes.put = false
	r.send(ask(alice))

	codes.put, counters.refund = true, true
	r.sendFails(ask(bob), sms.ErrUnavailable)
	r.metric(`smsd_failed_steps_total{step="refund"} 1`)
}

func TestBrokenRandomSourceCostsNothing(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{random: fixed(1<<64 - 1)})
	if _, err := r.Send(r.ctx(), ask(alice)); err == nil || errors.Is(err, sms.ErrUnavailable) {
		t.Fatalf("send: %v", err)
	}
	r.countMessages(alice, 0)
	r.restart(setup{})
	r.send(ask(alice))
}

// Truxify PR 1218: stores away: a verify is unavailable, never right and never wrong.
func TestVerifyWithoutStores(t *testing.T) {
	t.Parallel()
	r, codes, counters := outage(t, "")
	sent := r.send(ask(alice))
	code := r.codeOf(alice)
	codes.verify = true
	r.verifies(sent.SMSID, code, sms.ErrUnavailable)
	r.verifies(sent.SMSID, otherCode(code), sms.ErrUnavailable)
	codes.verify, codes.get = false, true
	r.verifyRequest(sms.VerifyRequest{SMSID: sent.SMSID, Code: code, Phone: "13800138000"}, sms.ErrUnavailable)
	codes.get, counters.take = false, true
	r.verifies(sent.SMSID, code, sms.ErrUnavailable)
	r.pass(time.Minute) // until then it is known, without the store, that the cooldown refuses
	r.resendFails(sent.SMSID, sms.ErrUnavailable)
	counters.take, codes.get = false, true
	r.resendFails(sent.SMSID, sms.ErrUnavailable)
	codes.get = false
	r.verifies(sent.SMSID, code, nil)
}

// A wrong code stays a wrong code when it can't be counted.
func TestGuessThatCannotBeCounted(t *testing.T) {
	t.Parallel()
	r, _, counters := outage(t, "")
	sent := r.send(ask(alice))
	counters.force = true
	r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
	r.metric(`smsd_failed_steps_total{step="guess"} 1`)
}

// slowCounters is a counters' store that notes how much time a guess is given.
type slowCounters struct {
	throttle.Store
	given time.Duration
}

func (c *slowCounters) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if deadline, bounded := ctx.Deadline(); bounded && t.Force {
		c.given = time.Until(deadline)
	}
	return c.Store.Take(ctx, t)
}

// A store that is slow, and not too slow for a verify, counts the wrong code too: the guess has what is left of the budget.
func TestGuessHasWhatIsLeftOfTheBudget(t *testing.T) {
	t.Parallel()
	const budget = time.Hour // wide: what this machine takes is nothing beside it
	counters := &slowCounters{}
	r := newRig(t, setup{budget: budget, counters: func(s throttle.Store) throttle.Store { counters.Store = s; return counters }})
	sent := r.send(ask(alice))
	r.verifies(sent.SMSID, otherCode(r.codeOf(alice)), incorrect(4))
	if counters.given < budget/2 || counters.given > budget {
		t.Errorf("the guess was given %s of a budget of %s", counters.given, budget)
	}
}

func TestUndoThatFailsIsTold(t *testing.T) {
	t.Parallel()
	r, codes, counters := outage(t, "")
	codes.remove, counters.refund = true, true
	r.setFault(mock.Unavailable, alice, 1, 0)
	r.sendFails(ask(alice), sms.ErrGatewayFailed)
	r.metric(`smsd_failed_steps_total{step="refund"} 1`)
	r.metric(`smsd_failed_steps_total{step="delete"} 1`)
}

// frozen is a store that does not answer while the test says so.
type frozen struct {
	sms.Codes
	t           *testing.T
	put, verify bool
	asked       int
}

func (f *frozen) Put(ctx context.Context, id string, n sms.NewRecord) (time.Time, error) {
	if f.put {
		f.hold(ctx)
	}
	return f.Codes.Put(ctx, id, n)
}

func (f *frozen) Verify(ctx context.Context, id string, g sms.Guess) (sms.Record, error) {
	if f.verify {
		f.hold(ctx)
	}
	return f.Codes.Verify(ctx, id, g)
}

func (f *frozen) hold(ctx context.Context) {
	f.asked++
	within(f.t, ctx, frozenBudget)
	<-ctx.Done()
}

// untilAsked makes calls until one has come as far as the store: a machine that is busy may spend the budget before.
func (f *frozen) untilAsked(call func()) {
	f.t.Helper()
	for began, before := time.Now(), f.asked; f.asked == before; call() {
		if time.Since(began) > time.Minute {
			f.t.Fatal("the store is not asked")
		}
	}
}

// untilDone makes a call until it succeeds. Until then, on a machine that is busy, it may only be unavailable.
func untilDone(t *testing.T, call func() error) {
	t.Helper()
	for began, err := time.Now(), call(); err != nil; err = call() {
		if !errors.Is(err, sms.ErrUnavailable) || time.Since(began) > time.Minute {
			t.Fatal(err)
		}
	}
}

// frozenCounters is a counters' store that never answers a refund.
type frozenCounters struct {
	throttle.Store
	t *testing.T
}

func (f *frozenCounters) Refund(ctx context.Context, _ throttle.Refund) error {
	within(f.t, ctx, frozenBudget/5)
	<-ctx.Done()
	return ctx.Err()
}

const frozenBudget = 50 * time.Millisecond

// within checks that no more time is left than the request may still take.
func within(t *testing.T, ctx context.Context, limit time.Duration) {
	t.Helper()
	if deadline, bounded := ctx.Deadline(); !bounded || time.Until(deadline) > limit {
		t.Errorf("the store may take until %v, more than %s", deadline, limit)
	}
}

// paramant-relay PR 368: a store that does not answer: the whole request, undoing included, has 1.2 times
// its budget at the most; nothing is sent, and nothing of it happens later.
func TestFrozenStore(t *testing.T) {
	t.Parallel()
	codes := &frozen{t: t, put: true}
	r := newRig(t, setup{budget: frozenBudget, policy: with("limits: [{name: wide, by: [phone], limit: 10000, window: 1h}]"),
		codes:    func(c sms.Codes) sms.Codes { codes.Codes = c; return codes },
		counters: func(s throttle.Store) throttle.Store { return &frozenCounters{s, t} },
	})
	codes.untilAsked(func() { r.sendFails(ask(alice), sms.ErrUnavailable) })
	r.countMessages(alice, 0)
	codes.put = false
	r.metric(`smsd_failed_steps_total{step="refund"} 1`)
	var sent sms.Sent
	untilDone(t, func() (err error) { sent, err = r.Send(r.ctx(), ask(bob)); return err })
	codes.verify = true
	codes.untilAsked(func() { r.verifies(sent.SMSID, r.codeOf(bob), sms.ErrUnavailable) })
	codes.verify = false
	untilDone(t, func() error { _, err := r.submit(sent.SMSID, r.codeOf(bob)); return err })
}

// A store that is full refuses new sends, and verifies what it holds.
func TestFullStore(t *testing.T) {
	t.Parallel()
	r := newRig(t, setup{policy: with("limits: [{name: one, by: [phone], limit: 1, window: 24h}]"), maxCodes: 1})
	sent := r.send(ask(alice))
	r.sendFails(ask(bob), sms.ErrUnavailable)
	r.countMessages(bob, 0)
	r.verifies(sent.SMSID, r.codeOf(alice), nil)
	r.pass(15 * time.Minute)
	r.send(ask(bob)) // there is room again, and its quota was given back
}

func TestNewNamesEveryFault(t *testing.T) {
	t.Parallel()
	_, err := sms.New(sms.Options{StoreBudget: -1})
	for _, name := range []string{"Policy", "Limiter", "Local", "Codes", "Gateway", "Keys", "Logger", "StoreBudget"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is not named in %v", name, err)
		}
	}
}
