package keytest

import (
	"context"
	"slices"
	"sync"
	"time"

	"smsd/internal/apikey"
)

// Store is an [apikey.Store] in memory. The zero Store is empty and ready.
type Store struct {
	mu      sync.Mutex
	records []*apikey.Record // oldest first
	byID    map[string]*apikey.Record
	hashes  map[[32]byte]bool
	version int64
	away    error
}

var _ apikey.Store = (*Store)(nil)

// Away makes every call fail with err from now on; nil ends that.
func (s *Store) Away(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.away = err
}

// use calls do with the store to itself, unless it is away or ctx has ended.
func (s *Store) use(ctx context.Context, do func() error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if s.away != nil {
		return s.away
	}
	return do()
}

// Version implements [apikey.Store].
func (s *Store) Version(ctx context.Context) (version int64, err error) {
	err = s.use(ctx, func() error { version = s.version; return nil })
	return version, err
}

// All implements [apikey.Store].
func (s *Store) All(ctx context.Context, limit int) (all []apikey.Record, version int64, err error) {
	err = s.use(ctx, func() error {
		for _, r := range slices.Backward(s.records[max(0, len(s.records)-limit):]) {
			all = append(all, *r)
		}
		version = s.version
		return nil
	})
	return all, version, err
}

// Add implements [apikey.Store].
func (s *Store) Add(ctx context.Context, r apikey.Record, ends string, end time.Time) error {
	return s.use(ctx, func() error {
		if s.byID[r.ID] != nil || s.hashes[r.Hash] {
			return apikey.ErrExists
		}
		if ends != "" {
			old := s.byID[ends]
			if old == nil || old.App != r.App {
				return apikey.ErrNotFound
			}
			if old.ExpiresAt.IsZero() || end.Before(old.ExpiresAt) {
				old.ExpiresAt = end
			}
		}
		s.keep(&r)
		return nil
	})
}

// Revoke implements [apikey.Store].
func (s *Store) Revoke(ctx context.Context, id string, at time.Time) error {
	return s.use(ctx, func() error {
		r := s.byID[id]
		if r == nil {
			return apikey.ErrNotFound
		}
		if r.RevokedAt.IsZero() {
			r.RevokedAt = at
			s.version++
		}
		return nil
	})
}

// Purge implements [apikey.Store].
func (s *Store) Purge(ctx context.Context, before time.Time, limit int) (removed int64, err error) {
	err = s.use(ctx, func() error {
		s.records = slices.DeleteFunc(s.records, func(r *apikey.Record) bool {
			if int(removed) >= limit || !r.EndedBefore(before) {
				return false
			}
			delete(s.byID, r.ID)
			delete(s.hashes, r.Hash)
			removed++
			return true
		})
		if removed > 0 {
			s.version++
		}
		return nil
	})
	return removed, err
}

// Touch implements [apikey.Store].
func (s *Store) Touch(ctx context.Context, used map[string]time.Time) error {
	return s.use(ctx, func() error {
		for id, at := range used {
			if r := s.byID[id]; r != nil && at.After(r.LastUsedAt) {
				r.LastUsedAt = at
			}
		}
		return nil
	})
}

func (s *Store) keep(r *apikey.Record) {
	if s.byID == nil {
		s.byID, s.hashes = map[string]*apikey.Record{}, map[[32]byte]bool{}
	}
	s.records, s.byID[r.ID], s.hashes[r.Hash] = append(s.records, r), r, true
	s.version++
}
