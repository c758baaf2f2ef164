package httpapi

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"smsd/internal/idempotency"
	"smsd/internal/store/sqlstore"
)

// openEntries returns an empty place for entries, in a file of the test's own.
func openEntries(t testing.TB) idempotency.Store {
	t.Helper()
	return openEntriesIn(t, t.TempDir())
}

// openEntriesIn is openEntries with the file in folder.
func openEntriesIn(t testing.TB, folder string) idempotency.Store {
	t.Helper()
	db, err := sqlstore.Open(t.Context(), sqlstore.Options{File: filepath.Join(folder, "smsd.db")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db.Idempotency()
}

// entryFaults is a store of entries whose calls fail when they are told to, before they have done their work or after.
type entryFaults struct {
	idempotency.Store
	mu     sync.Mutex
	before map[string]error
	after  map[string]error
	calls  map[string]int
}

func newEntries(t testing.TB) *entryFaults {
	return &entryFaults{Store: openEntries(t), before: map[string]error{}, after: map[string]error{}, calls: map[string]int{}}
}

func (f *entryFaults) call(name string, do func() error) error {
	f.mu.Lock()
	f.calls[name]++
	before, after := f.before[name], f.after[name]
	f.mu.Unlock()
	if before != nil {
		return before
	}
	return errors.Join(do(), after)
}

func (f *entryFaults) Find(ctx context.Context, id idempotency.ID, now time.Time) (e idempotency.Entry, err error) {
	err = f.call("find", func() error { e, err = f.Store.Find(ctx, id, now); return err })
	return e, err
}

func (f *entryFaults) Begin(ctx context.Context, e idempotency.Entry, now time.Time) error {
	return f.call("begin", func() error { return f.Store.Begin(ctx, e, now) })
}

func (f *entryFaults) Finish(ctx context.Context, id idempotency.ID, answer []byte, until time.Time) error {
	return f.call("finish", func() error { return f.Store.Finish(ctx, id, answer, until) })
}

func (f *entryFaults) Forget(ctx context.Context, e idempotency.Entry) error {
	return f.call("forget", func() error { return f.Store.Forget(ctx, e) })
}

// set makes a call fail; nil: no more.
func (f *entryFaults) set(when map[string]error, call string, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	when[call] = err
}

func (f *entryFaults) count(call string) int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.calls[call]
}
