package apikey

import (
	"sync/atomic"
	"time"

	"smsd/internal/keyring"
)

// table is every key at one moment. Nothing in it changes but the marks.
type table struct {
	version int64
	byHash  map[[32]byte]*entry
	byID    map[string]*entry
	// origins are those of the live publishable keys, and until when; the zero Time is for good.
	origins map[string]time.Time
	// crowded says that there are more keys than are held.
	crowded bool
}

type entry struct {
	Record
	caller Caller
	marks  *marks
}

// marks are what is noted of a key while it is in use. They outlive the table: unix milliseconds.
type marks struct {
	used    atomic.Int64 // the last use
	written atomic.Int64 // the last use that the store knows
	told    atomic.Int64 // when the log was last told of a misuse
}

// newTable takes over the marks of earlier, which may be nil.
func newTable(records []Record, version int64, earlier *table, now time.Time) *table {
	t := &table{version: version, byHash: map[[32]byte]*entry{}, byID: map[string]*entry{}, origins: map[string]time.Time{}}
	if len(records) > MaxKeys {
		records, t.crowded = records[:MaxKeys], true
	}
	for _, r := range records {
		t.add(r, earlier.marksOf(r.ID), now)
	}
	return t
}

func (t *table) add(r Record, m *marks, now time.Time) {
	e := &entry{r, Caller{App: r.App, KeyID: r.ID, Kind: r.Kind}, m}
	if r.Kind == Publishable {
		e.caller.origins = r.Origins
	}
	t.byHash[r.Hash], t.byID[r.ID] = e, e
	if r.State(now) != StateLive {
		return
	}
	for _, origin := range e.caller.origins {
		t.allow(origin, r.ExpiresAt)
	}
}

// allow keeps the later end of those that an origin has.
func (t *table) allow(origin string, end time.Time) {
	until, known := t.origins[origin]
	if !known || end.IsZero() || !until.IsZero() && end.After(until) {
		t.origins[origin] = end
	}
}

// marksOf returns those of a key that the table has, or fresh ones.
func (t *table) marksOf(id string) *marks {
	if t != nil {
		if e := t.byID[id]; e != nil {
			return e.marks
		}
	}
	return &marks{}
}

// find returns the key that has one of the hashes, or nil.
func (t *table) find(hashes []keyring.Digest) *entry {
	for _, hash := range hashes {
		if e := t.byHash[hash]; e != nil {
			return e
		}
	}
	return nil
}

// raise sets a mark to at unless it is later. It reports whether it did.
func raise(mark *atomic.Int64, at int64) bool {
	for {
		old := mark.Load()
		if at <= old {
			return false
		}
		if mark.CompareAndSwap(old, at) {
			return true
		}
	}
}
