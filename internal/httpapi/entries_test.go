package httpapi

import (
	"context"
	"sync"
	"testing"
	"time"

	"smsd/internal/idempotency"
)

func openEntries(testing.TB) idempotency.Store {
	return &entryMap{byID: map[idempotency.ID]idempotency.Entry{}}
}

// entryMap is a place for entries in this process.
type entryMap struct {
	mu   sync.Mutex
	byID map[idempotency.ID]idempotency.Entry
}

func (m *entryMap) Find(_ context.Context, id idempotency.ID, now time.Time) (idempotency.Entry, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, there := m.byID[id]; there && now.Before(e.ExpiresAt) {
		return e, nil
	}
	return idempotency.Entry{}, idempotency.ErrNotFound
}

func (m *entryMap) Begin(_ context.Context, e idempotency.Entry, now time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if old, there := m.byID[e.ID]; there && now.Before(old.ExpiresAt) {
		return idempotency.ErrExists
	}
	m.byID[e.ID] = e
	return nil
}

func (m *entryMap) Finish(_ context.Context, id idempotency.ID, answer []byte, until time.Time) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, there := m.byID[id]; there {
		e.Answer, e.ExpiresAt = answer, until
		m.byID[id] = e
	}
	return nil
}

func (m *entryMap) Forget(_ context.Context, id idempotency.ID) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.byID[id].Answer == nil {
		delete(m.byID, id)
	}
	return nil
}

func (m *entryMap) Purge(context.Context, time.Time, int) (int64, error) { return 0, nil }
