package idempotency

import (
	"bytes"
	"context"
	"sync"
	"time"
)

// memory is a Store in this process that can be made to fail: at a call, before it or after it has done its work.
type memory struct {
	mu     sync.Mutex
	byID   map[ID]Entry
	calls  map[string]int
	before map[string]error
	after  map[string]error
	hang   chan struct{} // Find waits for it, or for its context
}

func newMemory() *memory {
	return &memory{byID: map[ID]Entry{}, calls: map[string]int{}, before: map[string]error{}, after: map[string]error{}}
}

// do is one call.
func (m *memory) do(ctx context.Context, call string, change func() error) error {
	if call == "find" && m.hang != nil {
		select {
		case <-m.hang:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls[call]++
	if err := m.before[call]; err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	return m.after[call]
}

func (m *memory) Find(ctx context.Context, id ID, now time.Time) (found Entry, err error) {
	err = m.do(ctx, "find", func() error {
		e, there := m.byID[id]
		if !there || !now.Before(e.ExpiresAt) {
			return ErrNotFound
		}
		found = e
		return nil
	})
	return found, err
}

func (m *memory) Begin(ctx context.Context, e Entry, now time.Time) error {
	return m.do(ctx, "begin", func() error {
		if old, there := m.byID[e.ID]; there && now.Before(old.ExpiresAt) {
			return ErrExists
		}
		m.byID[e.ID] = e
		return nil
	})
}

func (m *memory) Finish(ctx context.Context, id ID, answer []byte, until time.Time) error {
	return m.do(ctx, "finish", func() error {
		if e, there := m.byID[id]; there {
			e.Answer, e.ExpiresAt = bytes.Clone(answer), until
			m.byID[id] = e
		}
		return nil
	})
}

func (m *memory) Forget(ctx context.Context, e Entry) error {
	return m.do(ctx, "forget", func() error {
		if there := m.byID[e.ID]; there.Answer == nil && there.StartedAt.Equal(e.StartedAt) && there.SMSID == e.SMSID {
			delete(m.byID, e.ID)
		}
		return nil
	})
}

func (m *memory) Purge(ctx context.Context, now time.Time, limit int) (removed int64, err error) {
	err = m.do(ctx, "purge", func() error {
		for id, e := range m.byID {
			if removed < int64(limit) && !now.Before(e.ExpiresAt) {
				delete(m.byID, id)
				removed++
			}
		}
		return nil
	})
	return removed, err
}

// fails makes calls fail from now on; nil: no more.
func (m *memory) fails(when map[string]error, call string, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	when[call] = err
}

func (m *memory) count(call string) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls[call]
}

// all returns what is stored.
func (m *memory) all() (entries []Entry) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, e := range m.byID {
		entries = append(entries, e)
	}
	return entries
}
