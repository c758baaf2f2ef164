package apikey

import (
	"context"
	"errors"
	"time"
)

// Record is a key as it is stored. Instants are UTC, whole milliseconds; the zero Time is never.
type Record struct {
	ID      string // a short public name, as "k_3f9c2a71b0d4"
	App     string
	Kind    Kind
	Name    string   // what people call it; may be empty
	Origins []string // a Publishable's, as "https://shop.example"
	Hint    string   // the last four characters
	Hash    [32]byte // of the whole key, under a secret in rotation
	// Replaces is the ID of the key that it takes the place of; "": none.
	Replaces   string
	CreatedAt  time.Time
	ExpiresAt  time.Time
	RevokedAt  time.Time
	LastUsedAt time.Time
}

// Errors of a Store.
var (
	ErrNotFound = errors.New("apikey: no such key")
	ErrExists   = errors.New("apikey: there is such a key")
)

// Store is where keys are. Implementations are safe for concurrent use and bound every call by ctx.
type Store interface {
	// Version changes with every change but Touch's.
	Version(ctx context.Context) (int64, error)
	// All returns every key, at most limit, newest first, with the Version that they have.
	All(ctx context.Context, limit int) ([]Record, int64, error)
	// Add stores a new key, or is ErrExists. ends, if not "", names a key of the same app that will then expire at end,
	// if it would not have earlier (ErrNotFound if there is none).
	Add(ctx context.Context, r Record, ends string, end time.Time) error
	// Revoke ends a key at once and for good, or is ErrNotFound; twice is once, and the first instant stays.
	Revoke(ctx context.Context, id string, at time.Time) error
	// Purge removes at most limit keys that had ended before an instant, and says how many.
	Purge(ctx context.Context, before time.Time, limit int) (removed int64, err error)
	// Touch moves the last use of keys on, never back.
	Touch(ctx context.Context, used map[string]time.Time) error
}
