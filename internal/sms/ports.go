package sms

import (
	"context"
	"time"
)

// Codes keeps verifications under their sms_id. Implementations are safe for concurrent use, own the
// clock, never depend on a key having expired, and return an error that unwraps to [ErrUnavailable]
// when they cannot tell; a call that may have been executed is not repeated, and one that comes too
// late (past ctx's deadline) changes nothing.
//
// A record is, at an instant of the store's clock: gone at or after Forget (as if it never was,
// [ErrNotFound]); else used ([ErrUsed]); else exhausted ([ErrAttemptsExhausted]); else expired at or
// after ExpiresAt ([ErrExpired]); else live.
type Codes interface {
	// Put stores a new record, and returns the store's clock. The record lives TTL from there, and is
	// forgotten Keep after that. An id that exists is an error.
	Put(ctx context.Context, id string, n NewRecord) (now time.Time, err error)
	// Get returns the record, ended or not, or ErrNotFound.
	Get(ctx context.Context, id string) (Record, error)
	// Verify compares, counts and consumes in one atomic step. Another app's record is ErrNotFound,
	// whatever its state. On a live record: a guess whose Length is
	// not the record's is ErrCodeFormat and changes nothing; a right guess uses the record up; a wrong
	// one takes an attempt and is an [*IncorrectError]; the last wrong one exhausts the record, and is
	// still an IncorrectError with AttemptsLeft 0. Otherwise it is the error of the record's end.
	// The record is returned with the outcome, and also with an IncorrectError, so that the guess can be
	// counted against who it was for.
	Verify(ctx context.Context, id string, g Guess) (Record, error)
	// Amend changes a live record: its end, its code, or both. On one that is not live it changes nothing
	// and is the error of its end. The attempts left stay.
	Amend(ctx context.Context, id string, a Amendment) error
	// Delete forgets the record, if there is one.
	Delete(ctx context.Context, id string) error
}

// Hash is a keyed hash of a code, a scene or a number, 16 bytes; the zero Hash matches nothing.
type Hash [16]byte

// NewRecord is what Put stores. It holds nothing in clear.
type NewRecord struct {
	App    string
	Scene  string
	Code   Hash
	Phone  Hash // of the E.164 form, under the sms_id
	Length int  // digits of the code, 4 to 10
	// Attempts is how many verifies the code allows, 1 to 20.
	Attempts int
	// Sealed holds the phone, the code, the region and the locale, sealed and bound to the sms_id.
	Sealed []byte
	// TTL and Keep are whole milliseconds.
	TTL, Keep time.Duration
}

// PutErrand is a Put that goes along with the charge of a message, as the errand of a [throttle.Take]: where
// counters and codes are in one place, the store may put the record in the same step, so that a message
// costs one trip. The record lives as Put says, from the clock of the charge. Where the id exists the errand is left
// alone.
type PutErrand struct {
	ID     string
	Record NewRecord
}

// VerifyErrand is a Verify that goes along with the charge of a verify, as [PutErrand] goes with a message's: so such a
// verify costs one trip, and a refused one does not touch the code. Where the store has done it, Record and Err are what
// Verify would have returned, by the clock of the charge. A guess of another length ([ErrCodeFormat]) is free.
type VerifyErrand struct {
	ID    string
	Guess Guess

	Record Record
	Err    error
}

// Record is a verification as stored.
type Record struct {
	App          string
	Scene        string
	Code         Hash // of a used one: the [Guess].Mark that used it up, if that had one
	Phone        Hash
	Length       int
	AttemptsLeft int
	Sealed       []byte
	CreatedAt    time.Time
	ExpiresAt    time.Time
	// Used says that a verify succeeded.
	Used bool
	// Now is the store's clock when the record was read; every instant is UTC, whole milliseconds.
	Now time.Time
}

// State returns nil if r is live, or the error of its end.
func (r Record) State() error {
	switch {
	case r.Used:
		return ErrUsed
	case r.AttemptsLeft <= 0:
		return ErrAttemptsExhausted
	case !r.Now.Before(r.ExpiresAt):
		return ErrExpired
	}
	return nil
}

// Guess is a submitted code. It is right if Scene and Phone, where given, are the record's, and one of
// Codes is its code.
type Guess struct {
	App    string // must be the record's; another one's is ErrNotFound
	Length int
	Codes  []Hash // one for each secret in rotation, 1 to 8
	Scene  string // "": any
	Phone  Hash   // zero: any
	// Mark takes the place of Record.Code when the guess is right, so that whoever used the code up can be told
	// afterwards; zero: the hash of the code stays.
	Mark Hash
}

// Amendment is what changes of a live record; what is zero stays.
type Amendment struct {
	// ExpiresIn is the new end, from the record's CreatedAt; whole milliseconds. The record is forgotten
	// Keep after the new end.
	ExpiresIn time.Duration
	Code      Hash
	Sealed    []byte
}
