package memstore

// A Counter's record has two buckets as long as its window, of which the current one began at start.

// rolled returns r as it stands now; false if it is dead: two windows have elapsed.
func (r record) rolled(now int64) (record, bool) {
	switch elapsed := now - r.start; {
	case elapsed >= 2*r.window:
		return record{}, false
	case elapsed >= r.window:
		r.previous, r.current, r.start = r.current, 0, r.start+r.window
	}
	return r, true
}

// left returns how much of the current bucket's window is left.
func (r record) left(now int64) int64 { return r.start + r.window - now }

// waitWeight is a Counter's wait: until the previous bucket weighs so little that one more event fits.
func (r record) waitWeight(limit, now int64) int64 {
	left, room := r.left(now), (limit-1-r.current)*r.window
	switch {
	case r.previous*left <= room:
		return 0
	case r.current < limit:
		return ceilDiv(r.previous*left-room, r.previous)
	}
	return left + ceilDiv((r.current-(limit-1))*r.window, r.current)
}
