package idempotency

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Turn is the one request that is executed under its key. It serves one goroutine.
type Turn struct {
	ledger *Ledger
	asked  asked
	entry  Entry
	begun  bool
	twin   bool // another one has begun
	held   bool
}

// ID names the entry.
func (t *Turn) ID() ID { return t.asked.id }

// Begin puts the entry on disk. After an error the request must end, and undo what it was charged: a twin has
// begun elsewhere ([ErrInProgress]), or the store is out of reach ([ErrUnavailable]).
func (t *Turn) Begin(ctx context.Context, smsID string) error {
	now := t.ledger.clock()
	e := Entry{ID: t.asked.id, Content: t.asked.content, SMSID: smsID, StartedAt: now, ExpiresAt: now.Add(t.asked.Keep)}
	err := t.begin(ctx, e)
	switch {
	case err == nil:
		t.entry, t.begun = e, true
		return nil
	case errors.Is(err, ErrExists):
		t.twin = true
		return errTwin
	}
	t.retract(ctx, e)
	return fmt.Errorf("%w: begin: %w", ErrUnavailable, err)
}

func (t *Turn) begin(ctx context.Context, e Entry) error {
	ctx, cancel := t.ledger.bounded(ctx)
	defer cancel()
	return t.ledger.store.Begin(ctx, e, e.StartedAt)
}

// retract forgets an entry whose Begin failed, if it is there nevertheless: nothing was done under it. A twin's stays.
func (t *Turn) retract(ctx context.Context, e Entry) {
	ctx, cancel := t.ledger.bounded(ctx)
	defer cancel()
	there, err := t.ledger.store.Find(ctx, e.ID, e.StartedAt)
	if err == nil && there.SMSID == e.SMSID && there.StartedAt.Equal(e.StartedAt) {
		_ = t.ledger.store.Forget(ctx, e)
	}
}

// Hold keeps the entry although the request fails, since something was done that must not be done again.
func (t *Turn) Hold() { t.held = true }

func (t *Turn) forget(ctx context.Context) { t.ledger.forget(ctx, t.entry) }

// finish stores the answer. A request that has done nothing that can't be undone may not have begun: then it does now.
func (t *Turn) finish(ctx context.Context, body []byte) {
	if !t.begun && t.Begin(ctx, "") != nil {
		return
	}
	t.ledger.finish(ctx, t.asked.id, body, t.entry.ExpiresAt)
}

func (l *Ledger) forget(ctx context.Context, e Entry) {
	ctx, cancel := l.bounded(ctx)
	defer cancel()
	if err := l.store.Forget(ctx, e); err != nil {
		l.failed(ctx, stepForget, err)
	}
}

// finish seals the answer and stores it. Where that fails the entry stays without one, and the client has its answer
// all the same.
func (l *Ledger) finish(ctx context.Context, id ID, body []byte, until time.Time) {
	ctx, cancel := l.bounded(ctx)
	defer cancel()
	sealed, err := l.seals.Seal(id.sealName(), body)
	if err == nil {
		err = l.store.Finish(ctx, id, sealed, until)
	}
	if err != nil {
		l.failed(ctx, stepFinish, err)
	}
}
