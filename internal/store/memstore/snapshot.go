package memstore

import (
	"smsd/internal/throttle"
)

// snapshotHeader is the first line of a file of counters; each further line is a savedKey.
type snapshotHeader struct {
	Format  string `json:"format"`
	Version int    `json:"version"`
	Count   int    `json:"count"`
}

const (
	snapshotFormat  = "smsd counters"
	snapshotVersion = 1
)

// savedKey is one key's state on disk: keyed hashes, instants and counts.
type savedKey struct {
	Tag      string                        `json:"tag"`
	Name     string                        `json:"name"`
	Shadow   bool                          `json:"shadow,omitempty"`
	Expires  int64                         `json:"expires_ms"` // since 1970, UTC
	TTL      int64                         `json:"ttl_ms"`
	Sections [throttle.Events][]savedEntry `json:"sections"`
	Records  []savedRecord                 `json:"records,omitempty"`
}

// savedEntry is an entry's instant, reservation id and mark; savedRecord a record's slot, window, start, current
// and previous count.
type (
	savedEntry  [3]int64
	savedRecord [5]int64
)

func (s *state) saved() savedKey {
	k := savedKey{Tag: string(s.key.Tag), Name: s.key.Name, Shadow: s.shadow, Expires: s.expires, TTL: s.ttl}
	for i, section := range s.sections {
		k.Sections[i] = []savedEntry{}
		for _, e := range section {
			k.Sections[i] = append(k.Sections[i], savedEntry{e.at, int64(e.id), int64(e.mark)})
		}
	}
	for _, r := range s.records {
		k.Records = append(k.Records, savedRecord{int64(r.slot), r.window, r.start, r.current, r.previous})
	}
	return k
}

// state returns what was saved; false if it can't be: instants out of order, numbers out of range, or too many.
func (k savedKey) state() (*state, bool) {
	s := &state{key: throttle.Key{Tag: throttle.Tag(k.Tag), Name: k.Name}, shadow: k.Shadow, expires: k.Expires, ttl: k.TTL}
	whole := k.Tag != "" && k.Name != "" && in(k.TTL, 2*throttle.MaxWindow.Milliseconds()) && len(k.Records) <= maxRecords
	for i, section := range k.Sections {
		whole = whole && len(section) <= maxSection
		latest := int64(0)
		for _, e := range section {
			whole = whole && e[0] >= latest && in(e[1], 1<<32-1) && in(e[2], 1<<16-1)
			latest = e[0]
			s.sections[i] = append(s.sections[i], entry{at: e[0], id: uint32(e[1]), mark: uint16(e[2])})
		}
	}
	for _, r := range k.Records {
		whole = whole && in(r[0], 1<<32-1) && r[1] > 0 && in(r[1], throttle.MaxWindow.Milliseconds()) &&
			r[2] >= 0 && in(r[3], throttle.MaxCount) && in(r[4], throttle.MaxCount)
		s.records = append(s.records, record{slot: uint32(r[0]), window: r[1], start: r[2], current: r[3], previous: r[4]})
	}
	return s, whole
}

// in says that n is 0 to most.
func in(n, most int64) bool { return 0 <= n && n <= most }
