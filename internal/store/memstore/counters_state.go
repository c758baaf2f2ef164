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
	records  []record
	shadow   bool

	// Milliseconds: when it may be forgotten, how long after the last write that is, and when expiry looks at it.
	expires, ttl, due int64
}

func (s *state) section(e throttle.Event) section {
	if s == nil {
		return nil
	}
	return s.sections[e]
}

// find returns the place of a slot's record; -1: none.
func (s *state) find(slot uint32) int {
	if s == nil {
		return -1
	}
	return slices.IndexFunc(s.records, func(r record) bool { return r.slot == slot })
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
	used, oldest := s.section(c.Section).counted(c.Mark, now-window, now)
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
	used, nth := s.section(c.Section).count(c.Mark, now-window, now, c.Limit)
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
