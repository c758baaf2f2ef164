package idempotency

import (
	"context"
	"encoding/hex"
	"time"
)

// Request is what a client asked under a key.
type Request struct {
	App, Route string
	// Caller is the kind of client within the app. Each kind has keys of its own: one that everybody can be never meets those of
	// one that is trusted.
	Caller string
	Key    Key
	// Content is what was asked, field by field, in an order that is always the same.
	Content []string
	// Keep is how long the answer is kept.
	Keep time.Duration
	// Longest is how long such a request can run from its Begin to its answer. An entry without an answer that is
	// older belongs to a process that is no more.
	Longest time.Duration
	Gate    Gate
	// Doubtful reports whether a request that failed with err, before it began, may have failed because a twin was
	// quicker. Nil: never.
	Doubtful func(err error) bool
	// Rebuild makes the answer of an entry that nobody lived to answer, or returns ErrOutcomeUnknown, or
	// ErrNothingDone where the request may just as well be executed now; other errors are the answer, this once.
	Rebuild func(ctx context.Context, e Entry) ([]byte, error)
}

// Gate bounds what one client may ask. Without it, a look at the store would be a way around the local limiters.
type Gate interface {
	// Ask reports whether there is a place, and takes none.
	Ask() error
	// Allow takes a place: for what is answered without being executed, and for what was refused before it began.
	// Executing takes its own.
	Allow() error
}

// Answer is what a request is answered.
type Answer struct {
	Body []byte
	// Replayed says that Body is of an earlier request.
	Replayed bool
}

// asked is a Request by its hashes.
type asked struct {
	Request
	id      ID
	content [16]byte
}

func (l *Ledger) asked(r Request) asked {
	a := asked{Request: r}
	id := l.hashes.Hash("id", r.App, r.Caller, r.Route, r.Key.text.Reveal())
	copy(a.id[:], id[:])
	// The id goes in, so that two requests of one content can't be told to be that.
	content := l.hashes.Hash(append([]string{"content", a.id.String()}, r.Content...)...)
	copy(a.content[:], content[:])
	return a
}

// String returns 32 hex digits.
func (id ID) String() string { return hex.EncodeToString(id[:]) }

// sealName is what an answer is sealed for.
func (id ID) sealName() string { return "answer " + id.String() }
