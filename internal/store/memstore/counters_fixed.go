package memstore

// A Fixed's record counts the events of one window, which began at start with the first of them.

// ended returns r as it stands now. It outlives its window by another one, so that it is not taken for a rule
// that never counted: that one would read the log.
func (r record) ended(now int64) (record, bool) {
	elapsed := now - r.start
	if elapsed >= r.window {
		r.current = 0
	}
	return r, elapsed < 2*r.window
}

// waitEnd is a Fixed's wait: until its window ends.
func (r record) waitEnd(n numbers, now int64) int64 {
	if r.current < n.limit {
		return 0
	}
	return r.start + r.window - now
}
