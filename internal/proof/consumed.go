package proof

import (
	"context"
	"errors"
	"time"
)

// Errors of [Consumed], and of [Tokens.Consume].
var (
	// ErrConsumed is a token that was used before.
	ErrConsumed = errors.New("proof: the token was consumed before")
	// ErrUnavailable means that nobody can tell: what remembers consumed tokens did not answer in time, or is full.
	ErrUnavailable = errors.New("proof: nobody can tell whether the token was consumed")
)

// Consumed remembers which tokens were used. Implementations are safe for concurrent use, also by several processes
// where they share it.
type Consumed interface {
	// Consume writes down that the token jti of app was used, in one atomic step, or is ErrConsumed if that jti stands
	// there, whichever app's it was. What is written is on disk when it returns, where there is a disk, and stays until
	// the instant until at least, by the caller's clock; it may be forgotten then. An error that unwraps to ErrUnavailable
	// says that nobody can tell; then, as with any other error, the token may or may not have been written down. The call
	// is bounded by ctx, and one that comes after its deadline changes nothing.
	//
	// A jti is 1 to [MaxJTI] letters, digits, - and _, told apart by case; app is 1 to 64 bytes of UTF-8; until is UTC
	// and whole milliseconds.
	Consume(ctx context.Context, jti, app string, until time.Time) error
	// Purge removes at most limit tokens whose until is not after now, by the caller's clock, and says how many. It is
	// bounded by ctx.
	Purge(ctx context.Context, now time.Time, limit int) (removed int64, err error)
}

// MaxJTI bounds a jti, in bytes.
const MaxJTI = 64
