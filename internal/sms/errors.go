package sms

import (
	"errors"
	"fmt"

	"smsd/internal/throttle"
)

// ErrUnavailable means "nobody can tell": a store, of counters or of codes, did not answer in time, or is full.
var ErrUnavailable = throttle.ErrUnavailable

// The ends of a request that are no success. Beside them: [*throttle.Denied] (a refusal; of the
// carrier's own limit too, by rule "carrier") and [*phone.Error].
var (
	ErrUnknownScene          = errors.New("sms: no such scene")
	ErrDestinationNotAllowed = errors.New("sms: the scene does not serve this country or kind of number")
	ErrBlocked               = errors.New("sms: on the block list")
	ErrNotFound              = errors.New("sms: no such verification")
	ErrExpired               = errors.New("sms: the code has expired")
	ErrUsed                  = errors.New("sms: the code was used")
	ErrAttemptsExhausted     = errors.New("sms: no attempts left")
	ErrCodeFormat            = errors.New("sms: not as many digits as the code has")
	ErrUndeliverable         = errors.New("sms: the number can't be reached")
	ErrGatewayFailed         = errors.New("sms: no gateway took the message")
	// ErrRepeated is what a request's Before returns where the same request is executed elsewhere.
	ErrRepeated = errors.New("sms: the same request is being executed elsewhere")
)

// IncorrectError is a wrong code, scene or phone.
type IncorrectError struct{ AttemptsLeft int }

func (e *IncorrectError) Error() string {
	return fmt.Sprintf("sms: the code is not right, %d attempts left", e.AttemptsLeft)
}

// DoubtError is the failure of a request that may have been done all the same: a message has left, or a code may be
// used up.
type DoubtError struct{ Err error }

func (e *DoubtError) Error() string { return e.Err.Error() }

// Unwrap returns the failure.
func (e *DoubtError) Unwrap() error { return e.Err }

// FieldError is a field that is missing or not as it must be. It never holds the value.
type FieldError struct {
	Pointer string // JSON pointer (RFC 6901), as "/device_id"
	Code    string // "required", "invalid"
}

func (e *FieldError) Error() string { return "sms: field " + e.Pointer + ": " + e.Code }

func required(pointer string) error { return &FieldError{Pointer: pointer, Code: "required"} }
func invalid(pointer string) error  { return &FieldError{Pointer: pointer, Code: "invalid"} }
