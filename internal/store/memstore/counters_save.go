package memstore

import (
	"fmt"

	"smsd/internal/throttle"
)

// countersFile is what Save writes and Load reads.
var countersFile = lines[savedKey]{format: "smsd counters", version: 1}

// savedKey is one key's state on disk: keyed hashes, instants and counts.
type savedKey struct {
	Tag      string                        `json:"tag"`
	Name     string                        `json:"name"`
	Shadow   bool                          `json:"shadow,omitempty"`
	Expires  int64                         `json:"expires_ms"` // since 1970, UTC
	TTL      int64                         `json:"ttl_ms"`
	Sections [throttle.Events][]savedEntry `json:"sections"`
	Shadows  [throttle.Events][]savedEntry `json:"shadow_sections,omitzero"`
	Records  []savedRecord                 `json:"records,omitempty"`
}

// savedEntry is an entry's instant, reservation id and mark; savedRecord a record's slot, window, start, current count
// (of a Bucket the level), previous count, algorithm (0, as older files have it, is a Counter) and limit.
type (
	savedEntry  [3]int64
	savedRecord [7]int64
)

// Save writes every counter that may still matter to path, replacing the file whole; only its owner may
// read it.
func (c *Counters) Save(path string) error {
	if err := countersFile.write(path, c.saved()); err != nil {
		return fmt.Errorf("save counters: %w", err)
	}
	return nil
}

func (c *Counters) saved() []savedKey {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.read()
	var all []savedKey
	for _, s := range c.keys {
		if s.expires > now {
			all = append(all, s.saved())
		}
	}
	return all
}

func (s *state) saved() savedKey {
	k := savedKey{Tag: string(s.key.Tag), Name: s.key.Name, Shadow: s.shadow, Expires: s.expires, TTL: s.ttl}
	for i := range s.sections {
		k.Sections[i] = append([]savedEntry{}, s.sections[i].saved()...)
		k.Shadows[i] = s.shadows[i].saved()
	}
	for _, r := range s.records {
		k.Records = append(k.Records, r.saved())
	}
	return k
}

func (s section) saved() (all []savedEntry) {
	for _, e := range s {
		all = append(all, savedEntry{e.at, int64(e.id), int64(e.mark)})
	}
	return all
}

func (r record) saved() savedRecord {
	count := r.current
	if r.algorithm == throttle.Bucket {
		count = r.level
	}
	return savedRecord{int64(r.slot), r.window, r.start, count, r.previous, int64(r.algorithm), r.limit}
}
