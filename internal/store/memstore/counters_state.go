package memstore

import (
	"slices"
	"time"

	"smsd/internal/throttle"
)

// state is what a key holds. A nil state is a key that is not there; it can be read.
type state struct {
	key      throttle.Key
	sections [throttle.Events]section
	shadows  [throttle.Events]section // what cells in shadow charged
	records  []record
	shadow   bool // only rules in shadow need it

	// Milliseconds: when it may be forgotten, until when an enforced rule needs it, how long after the last write it is
	// forgotten, and when expiry looks at it.
	expires, binds, ttl, due int64
}

// log returns the entries of a cell, which are those with the mark (0: all) of a section.
func (s *state) log(c *throttle.Cell, now int64) (section, uint16) {
	switch {
	case s == nil:
		return nil, 0
	case c.Shadow:
		return s.shadows[c.Section], c.Own
	case len(s.shadows[c.Section]) == 0:
		return s.sections[c.Section], c.Mark
	}
	return s.sections[c.Section].joined(s.shadows[c.Section], c, now)
}

// find returns the place of a slot's record; -1: none.
func (s *state) find(slot uint32) int {
	if s == nil {
		return -1
	}
	return slices.IndexFunc(s.records, func(r record) bool { return r.slot == slot })
}

// put keeps r in place of the record of its slot, or behind all.
func (s *state) put(r record) {
	if i := s.find(r.slot); i >= 0 {
		s.records[i] = r
		return
	}
	s.records = append(s.records, r)
}

// live returns the record of a cell as it stands now, by the cell's numbers; false if there is none.
func (s *state) live(c *throttle.Cell, now int64) (record, bool) {
	i := s.find(c.Slot)
	if i < 0 {
		return record{}, false
	}
	r, live := s.records[i].standing(now)
	if !live {
		return record{}, false
	}
	r = r.as(numbersOf(c, r), now)
	return r, r.algorithm != throttle.Bucket || r.level > 0
}

// initial returns the record of a cell that has none, before its first charge: what the rule counted as a Log.
func (s *state) initial(c *throttle.Cell, now int64) record {
	if c.Algorithm == throttle.Bucket {
		return s.filled(c, now)
	}
	window := c.Window.Milliseconds()
	r := record{slot: c.Slot, algorithm: c.Algorithm, window: window, start: now}
	log, mark := s.log(c, now)
	used, oldest := log.counted(mark, now-window, now)
	if c.Algorithm == throttle.Counter {
		r.previous = used
		return r
	}
	r.current, r.start = used, oldest
	return r
}

// read evaluates a cell as the store's contract says, and changes nothing.
func (s *state) read(c *throttle.Cell, now int64) throttle.Verdict {
	r, live := s.live(c, now)
	switch {
	case live && c.Algorithm != throttle.Log:
		return readRecord(r, c, now)
	case c.Algorithm == throttle.Bucket:
		return readRecord(s.filled(c, now), c, now)
	case !live:
		return s.readLog(c, now)
	}
	log, left := s.readLog(c, now), readRecord(r, c, now)
	return throttle.Verdict{
		Used:    max(log.Used, left.Used),
		Wait:    max(log.Wait, left.Wait),
		Refused: log.Refused || left.Refused,
	}
}

func (s *state) readLog(c *throttle.Cell, now int64) throttle.Verdict {
	window := c.Window.Milliseconds()
	log, mark := s.log(c, now)
	used, nth := log.count(mark, now-window, now, c.Limit)
	if used < c.Limit {
		return throttle.Verdict{Used: used}
	}
	return throttle.Verdict{Used: used, Wait: milliseconds(nth + window - now), Refused: true}
}

func readRecord(r record, c *throttle.Cell, now int64) throttle.Verdict {
	wait := r.wait(numbersOf(c, r), now)
	return throttle.Verdict{Used: r.used(now), Wait: milliseconds(wait), Refused: wait > 0}
}

func milliseconds(n int64) time.Duration { return time.Duration(n) * time.Millisecond }
