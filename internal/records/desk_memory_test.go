package records_test

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"smsd/internal/records"
)

// deskMemory is a store in this process.
type deskMemory struct {
	mu            sync.Mutex
	err           error // of every call, if there is one
	verifications []records.Verification
	decisions     []records.Decision
}

func (m *deskMemory) Append(_ context.Context, b records.Batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.verifications = append(m.verifications, b.Verifications...)
	m.decisions = append(m.decisions, b.Decisions...)
	return m.err
}

func (m *deskMemory) Verification(_ context.Context, id string) (records.Verification, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, v := range m.verifications {
		if v.SMSID == id && m.err == nil {
			return v, nil
		}
	}
	return records.Verification{}, cmp.Or(m.err, records.ErrNotFound)
}

func (m *deskMemory) Verifications(ctx context.Context, f records.Filter) ([]records.Verification, records.Cursor, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return newest(ctx, m, f, m.verifications, func(n int, v records.Verification) (records.Cursor, bool) {
		return records.Cursor{At: v.CreatedAt, Row: v.SMSID}, fits(f, v.App, v.Scene, v.Country, v.RequestID, v.SMSID, v.Whom, v.CreatedAt) &&
			(f.State == "" || f.State == v.State(f.Now))
	})
}

func (m *deskMemory) Decisions(ctx context.Context, f records.Filter) ([]records.Decision, records.Cursor, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return newest(ctx, m, f, m.decisions, func(n int, d records.Decision) (records.Cursor, bool) {
		return records.Cursor{At: d.At, Row: fmt.Sprintf("%09d", n)}, fits(f, d.App, d.Scene, d.Country, d.RequestID, d.SMSID, d.Whom, d.At) &&
			is(f.Outcome, d.Outcome) && is(f.Action, d.Action) && is(f.Rule, d.Rule)
	})
}

func newest[Row any](ctx context.Context, m *deskMemory, f records.Filter, rows []Row, look func(int, Row) (records.Cursor, bool)) ([]Row, records.Cursor, error) {
	type found struct {
		at  records.Cursor
		row Row
	}
	var all []found
	for n, row := range rows {
		if at, ok := look(n, row); ok && (f.After == (records.Cursor{}) || order(f.After, at) < 0) {
			all = append(all, found{at, row})
		}
	}
	slices.SortFunc(all, func(a, b found) int { return order(a.at, b.at) })
	var page []Row
	var next records.Cursor
	for n, one := range all {
		if n == f.Limit {
			next = all[n-1].at
			break
		}
		page = append(page, one.row)
	}
	return page, next, cmp.Or(m.err, ctx.Err())
}

// order is newest first.
func order(a, b records.Cursor) int {
	return cmp.Or(b.At.Compare(a.At), cmp.Compare(b.Row, a.Row))
}

func is(want, have string) bool { return want == "" || want == have }

func fits(f records.Filter, app, scene, country, request, id string, w records.Whom, at time.Time) bool {
	among := func(hashes []records.Hash, h records.Hash) bool { return hashes == nil || slices.Contains(hashes, h) }
	return is(f.App, app) && is(f.Scene, scene) && is(f.Country, country) && is(f.RequestID, request) && is(f.SMSID, id) &&
		among(f.Phones, w.Phone) && among(f.Hosts, w.Host) && among(f.Networks, w.Network) && among(f.Devices, w.Device) &&
		(f.From.IsZero() || !at.Before(f.From)) && (f.Until.IsZero() || at.Before(f.Until))
}

func (m *deskMemory) Purge(context.Context, time.Time, time.Time, int) (records.Purged, error) {
	return records.Purged{}, m.err
}

func (m *deskMemory) Erase(_ context.Context, phones []records.Hash) (e records.Erased, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for n := range m.verifications {
		if v := &m.verifications[n]; slices.Contains(phones, v.Whom.Phone) {
			v.Whom, v.Sealed, v.Prefix = records.Whom{}, nil, ""
			e.Verifications++
		}
	}
	for n := range m.decisions {
		if d := &m.decisions[n]; slices.Contains(phones, d.Whom.Phone) {
			d.Whom, d.Prefix = records.Whom{}, ""
			e.Decisions++
		}
	}
	return e, m.err
}

func (m *deskMemory) SealedWith(context.Context) (map[string]int64, error) { return nil, m.err }

// id is the nth sms_id.
func deskID(n int) string {
	return fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
}
