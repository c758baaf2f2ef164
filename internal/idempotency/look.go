package idempotency

import (
	"context"
	"errors"
	"fmt"
)

// look answers from the entry: the answer, why there is none, or ErrNotFound if the request may be executed.
func (l *Ledger) look(ctx context.Context, a asked) (Answer, error) {
	e, err := l.find(ctx, a.id)
	if err != nil {
		return Answer{}, err
	}
	if e.Content != a.content {
		return Answer{}, ErrMismatch
	}
	if e.Answer != nil {
		if body, err := l.seals.Open(a.id.sealName(), e.Answer); err == nil {
			return Answer{Body: body, Replayed: true}, nil
		}
		// Its secret is not in use any more: as if nobody had lived to store it.
	} else if l.now().Before(e.StartedAt.Add(a.Longest)) {
		return Answer{}, ErrInProgress
	}
	return l.rebuild(ctx, a, e)
}

// find is one read, bounded in time and in how many there are at once.
func (l *Ledger) find(ctx context.Context, id ID) (Entry, error) {
	ctx, cancel := l.bounded(ctx)
	defer cancel()
	select {
	case l.looks <- struct{}{}:
		defer func() { <-l.looks }()
	case <-ctx.Done():
		return Entry{}, fmt.Errorf("%w: find: %w", ErrUnavailable, ctx.Err())
	}
	e, err := l.store.Find(ctx, id, l.clock())
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Entry{}, fmt.Errorf("%w: find: %w", ErrUnavailable, err)
	}
	return e, err
}

// rebuild answers an entry that nobody lived to answer, and stores what it says, so that it is always the same.
func (l *Ledger) rebuild(ctx context.Context, a asked, e Entry) (Answer, error) {
	body, err := a.Rebuild(ctx, e)
	if errors.Is(err, ErrNothingDone) {
		l.forget(ctx, e)
		return Answer{}, ErrNotFound
	}
	if err != nil {
		return Answer{}, err
	}
	l.finish(ctx, a.id, body, e.ExpiresAt)
	return Answer{Body: body, Replayed: true}, nil
}
