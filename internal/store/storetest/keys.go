package storetest

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"smsd/internal/apikey"
)

// Keys puts an implementation of [apikey.Store] through every line of its contract. open returns an empty one; it is
// closed by t.Cleanup. Each test opens its own, and they run in parallel.
func Keys(t *testing.T, open func(t *testing.T) apikey.Store) {
	t.Helper()
	for _, test := range keysTests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.run(t, &keysBench{Store: open(t), t: t})
		})
	}
}

type keysTest struct {
	name string
	run  func(*testing.T, *keysBench)
}

// keysBench is the store under test with what every test does to it.
type keysBench struct {
	apikey.Store
	t *testing.T
}

// key is a key with every field set that a new one may have.
func key(n int) apikey.Record {
	return apikey.Record{
		ID: fmt.Sprintf("k_%012d", n), App: "shop", Kind: apikey.Publishable, Name: "the shop's \"own\"", Origins: []string{"https://shop.example", "https://it's.example"},
		Hint: "x9Q2", Hash: [32]byte{0: byte(n), 1: 0, 2: 0xff, 31: '\''}, Replaces: "k_before", CreatedAt: at(n), ExpiresAt: at(n + 100_000),
	}
}

func (b *keysBench) add(r apikey.Record) {
	b.t.Helper()
	if err := b.Add(b.t.Context(), r, "", time.Time{}); err != nil {
		b.t.Fatalf("add: %v", err)
	}
}

func (b *keysBench) all() []apikey.Record {
	b.t.Helper()
	all, _, err := b.All(b.t.Context(), 1000)
	if err != nil {
		b.t.Fatalf("all: %v", err)
	}
	return all
}

func (b *keysBench) version() int64 {
	b.t.Helper()
	version, err := b.Version(b.t.Context())
	if err != nil {
		b.t.Fatalf("version: %v", err)
	}
	return version
}

// expect fails the test unless err is the one wanted, or nil.
func (b *keysBench) expect(err, wanted error) {
	b.t.Helper()
	if !errors.Is(err, wanted) {
		b.t.Errorf("got %v, want %v", err, wanted)
	}
}

// changes says whether do changes the version.
func (b *keysBench) changes(do func()) bool {
	b.t.Helper()
	before := b.version()
	do()
	return b.version() != before
}
