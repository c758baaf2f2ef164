package keytest

import (
	"bytes"
	"sync/atomic"
	"testing"
	"time"

	"smsd/internal/apikey"
	"smsd/internal/keyring"
)

// Keys are a directory and its store, of which a test makes keys.
type Keys struct {
	t         testing.TB
	Store     *Store
	Hasher    *apikey.Hasher
	Directory *apikey.Directory
	clock     func() time.Time
	ahead     atomic.Int64 // of the clock, in nanoseconds
}

// New returns an empty directory that has been read; now is its clock.
func New(t testing.TB, now func() time.Time) *Keys {
	t.Helper()
	k := &Keys{t: t, Store: &Store{}, Hasher: Hasher(t, 'k'), clock: now}
	var err error
	if k.Directory, err = apikey.NewDirectory(apikey.DirectoryOptions{Store: k.Store, Hasher: k.Hasher, Now: k.now}); err != nil {
		t.Fatal(err)
	}
	k.Load()
	return k
}

func (k *Keys) now() time.Time { return k.clock().Add(time.Duration(k.ahead.Load())) }

// Advance moves the directory's clock.
func (k *Keys) Advance(d time.Duration) { k.ahead.Add(int64(d)) }

// Hasher is of secrets that are 32 times one byte each, newest first.
func Hasher(t testing.TB, secrets ...byte) *apikey.Hasher {
	t.Helper()
	var all [][]byte
	for _, b := range secrets {
		all = append(all, bytes.Repeat([]byte{b}, keyring.MinSecret))
	}
	root, err := keyring.New(all)
	if err != nil {
		t.Fatal(err)
	}
	hasher, err := apikey.NewHasher(root)
	if err != nil {
		t.Fatal(err)
	}
	return hasher
}

// Load reads the store again.
func (k *Keys) Load() {
	k.t.Helper()
	if err := k.Directory.Load(k.t.Context()); err != nil {
		k.t.Fatal(err)
	}
}

// Make makes a key that the directory knows at once. It returns its text.
func (k *Keys) Make(d apikey.Draft) (text, id string) {
	k.t.Helper()
	key, r, err := apikey.Create(k.t.Context(), k.Store, k.Hasher, d, k.now())
	if err != nil {
		k.t.Fatal(err)
	}
	k.Load()
	return key.Reveal(), r.ID
}

// Secret makes a secret key of an app.
func (k *Keys) Secret(app string) string {
	k.t.Helper()
	text, _ := k.Make(apikey.Draft{App: app, Kind: apikey.Secret})
	return text
}

// Publishable makes a publishable key of an app.
func (k *Keys) Publishable(app string, origins ...string) string {
	k.t.Helper()
	text, _ := k.Make(apikey.Draft{App: app, Kind: apikey.Publishable, Origins: origins})
	return text
}

// Revoke ends a key, and the directory knows at once.
func (k *Keys) Revoke(id string) {
	k.t.Helper()
	if err := k.Store.Revoke(k.t.Context(), id, k.now()); err != nil {
		k.t.Fatal(err)
	}
	k.Load()
}
