package idempotency

import (
	"context"
	"errors"
	"time"
)

// ID is a keyed hash over the app, the route and the client's key.
type ID [16]byte

// Entry is a request under a key.
type Entry struct {
	ID ID
	// Content is a keyed hash of what was asked.
	Content [16]byte
	// SMSID is the verification that it is about; "" where none is known.
	SMSID string
	// Answer is the body of its answer, sealed; nil while it runs, and after a crash.
	Answer    []byte
	StartedAt time.Time
	ExpiresAt time.Time
}

// Errors of a Store.
var (
	ErrNotFound = errors.New("idempotency: no such entry")
	ErrExists   = errors.New("idempotency: there is such an entry")
)

// Store is where entries are. Implementations are safe for concurrent use, bound every call by ctx, and have every
// change on disk before they return. An entry that has expired at now is as if it were not there. Instants are UTC, whole
// milliseconds, of the caller's clock.
type Store interface {
	// Find returns an entry, or ErrNotFound.
	Find(ctx context.Context, id ID, now time.Time) (Entry, error)
	// Begin stores a new entry, or is ErrExists; of several at once one succeeds. One that has expired is replaced.
	Begin(ctx context.Context, e Entry, now time.Time) error
	// Finish adds the answer to an entry, and moves its end to until. Without an entry it changes nothing.
	Finish(ctx context.Context, id ID, answer []byte, until time.Time) error
	// Forget removes the very entry that was begun as e, if it has no answer. One with an answer stays, and so does one that another
	// request has begun since: a Forget may arrive late, when e is long gone.
	Forget(ctx context.Context, e Entry) error
	// Purge removes at most limit entries that have expired at now, and says how many.
	Purge(ctx context.Context, now time.Time, limit int) (int64, error)
}
