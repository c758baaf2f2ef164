package memstore

import "smsd/internal/throttle"

// A Bucket's record has the level at its start, in parts of an event: an event has as many as the window has
// milliseconds, so that limit parts leak in each of them and every level is whole.

// mostLevel is where a level stops: from there, burst events fit again after one window.
func (n numbers) mostLevel() int64 { return (n.burst + n.limit - 1) * n.window }

// leaked returns r with the level at now; false if nothing is left.
func (r record) leaked(now int64) (record, bool) {
	if now-r.start >= ceilDiv(r.level, r.limit) {
		return record{}, false
	}
	r.level -= (now - r.start) * r.limit
	r.start = now
	return r, true
}

// waitLevel is a Bucket's wait: until there is room for one more event.
func (r record) waitLevel(n numbers) int64 {
	return ceilDiv(max(0, r.level+r.window-n.burst*r.window), n.limit)
}

// filled returns what the Bucket cell c would have now, had the entries of its log been charged to it, each at its instant.
func (s *state) filled(c *throttle.Cell, now int64) record {
	n := numbersOf(c, record{})
	level, last := int64(0), now-n.window
	log, mark := s.log(c, now)
	for _, e := range log {
		at := min(e.at, now)
		if at <= now-n.window || mark != 0 && e.mark != mark {
			continue
		}
		level, last = min(max(0, level-(at-last)*n.limit)+n.window, n.mostLevel()), at
	}
	level = max(0, level-(now-last)*n.limit)
	return record{slot: c.Slot, algorithm: n.algorithm, window: n.window, start: now, level: level, limit: n.limit}
}
