package apikey

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Bounds of a key's description.
const (
	MaxApp     = 64 // bytes of an app's name, which becomes a part of keys and rules
	MaxName    = 100
	MaxOrigins = 20
)

// Draft is a key that is to be made.
type Draft struct {
	App     string // 1 to MaxApp of a-z, 0-9, - and _
	Kind    Kind
	Name    string   // what people call it; at most MaxName bytes, or none
	Origins []string // of a Publishable, at most MaxOrigins; as [ParseOrigin] takes them
	// ExpiresAt is when it ends; zero: never.
	ExpiresAt time.Time
	// Replaces is the ID of a key of the same app that ends Overlap after now; "": none.
	Replaces string
	Overlap  time.Duration
}

// Create makes a key and stores it. The Key is to be shown once and then forgotten. An error is the draft's
// [Faults], ErrNotFound where there is no key to replace, or is the store's.
func Create(ctx context.Context, s Store, h *Hasher, d Draft, now time.Time) (Key, Record, error) {
	now = now.UTC().Truncate(time.Millisecond)
	r, err := d.record(now)
	if err != nil {
		return Key{}, Record{}, err
	}
	key, err := New(d.Kind)
	if err != nil {
		return Key{}, Record{}, err
	}
	if err := room(ctx, s); err != nil {
		return Key{}, Record{}, err
	}
	r.Hint, r.Hash = key.Hint(), h.Hash(key)
	return key, r, s.Add(ctx, r, d.Replaces, now.Add(d.Overlap))
}

// room is an error where instances would no longer know the oldest key.
func room(ctx context.Context, s Store) error {
	all, _, err := s.All(ctx, MaxKeys)
	if err == nil && len(all) >= MaxKeys {
		err = fmt.Errorf("apikey: there are %d keys, as many as an instance holds, those that have ended among them", len(all))
	}
	return err
}

// Faults say what is wrong with a draft.
type Faults struct{ error }

// Unwrap returns them.
func (f Faults) Unwrap() error { return f.error }

// record checks the draft and returns what is stored of it, beside what is the key's own.
func (d Draft) record(now time.Time) (Record, error) {
	r := Record{
		ID: newID(), App: d.App, Kind: d.Kind, Name: d.Name, Replaces: d.Replaces,
		CreatedAt: now, ExpiresAt: d.ExpiresAt.UTC().Truncate(time.Millisecond),
	}
	var err error
	r.Origins, err = d.origins()
	if err = errors.Join(d.checkNames(), err, d.checkTimes(now)); err != nil {
		err = Faults{err}
	}
	return r, err
}

func (d Draft) checkNames() error {
	var faults []error
	if d.App == "" || len(d.App) > MaxApp || strings.Trim(d.App, "abcdefghijklmnopqrstuvwxyz0123456789-_") != "" {
		faults = append(faults, fmt.Errorf("app: must be 1 to %d of a-z, 0-9, - and _", MaxApp))
	}
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	if len(d.Name) > MaxName || strings.ContainsFunc(d.Name, unprintable) {
		faults = append(faults, fmt.Errorf("name: must be at most %d bytes that can be printed", MaxName))
	}
	if !d.Kind.known() {
		faults = append(faults, fmt.Errorf("kind: must be %s or %s", Publishable.Word(), Secret.Word()))
	}
	return errors.Join(faults...)
}

func (d Draft) checkTimes(now time.Time) error {
	if !d.ExpiresAt.IsZero() && !d.ExpiresAt.After(now) {
		return errors.New("expiry: must be later than now")
	}
	if d.Overlap < 0 || d.Overlap > 0 && d.Replaces == "" {
		return errors.New("overlap: must be 0 or more, and of a key that is replaced")
	}
	return nil
}

func (d Draft) origins() ([]string, error) {
	switch {
	case len(d.Origins) > 0 && d.Kind == Secret:
		return nil, errors.New("origin: a secret key has none: it must never be in a browser")
	case len(d.Origins) > MaxOrigins:
		return nil, fmt.Errorf("origin: at most %d of one key", MaxOrigins)
	}
	var all []string
	for _, text := range d.Origins {
		origin, err := ParseOrigin(text)
		if err != nil {
			return nil, err
		}
		all = append(all, origin)
	}
	return all, nil
}

// newID names a key for people: 48 random bits, so that the 10,000 keys there may be hardly ever meet (one in five million).
func newID() string {
	b := make([]byte, 6)
	_, _ = rand.Read(b) // never fails (crypto/rand)
	return "k_" + hex.EncodeToString(b)
}
