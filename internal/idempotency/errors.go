package idempotency

import (
	"errors"
	"fmt"
)

// What ends a request beside its own errors.
var (
	// ErrKey is a header that holds no usable key.
	ErrKey = errors.New("idempotency: not one key of 1 to 255 visible ASCII characters")
	// ErrInProgress is a request whose twin is running, or was when its process ended a moment ago.
	ErrInProgress = errors.New("idempotency: a request with this key is running")
	// ErrMismatch is a key that was used for other content.
	ErrMismatch = errors.New("idempotency: the key was used for other content")
	// ErrOutcomeUnknown is a request that nobody lived to answer, of which nothing is known any more.
	ErrOutcomeUnknown = errors.New("idempotency: what became of the request is not known")
	// ErrUnavailable means that the store does not answer in time, or that too much is running: nothing can be promised.
	ErrUnavailable = errors.New("idempotency: the store is out of reach or too much is running")
	// ErrNothingDone is Rebuild's word that nothing was done under an entry, so that it may be done now.
	ErrNothingDone = errors.New("idempotency: nothing was done yet")
)

// errTwin is a Begin that came second: its twin is running elsewhere.
var errTwin = fmt.Errorf("%w: a twin has begun", ErrInProgress)
