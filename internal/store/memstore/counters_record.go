package memstore

import "smsd/internal/throttle"

// maxRecords is how many records a key may have: one for each rule and scene. Only those that rules of other names
// left could pass it.
const maxRecords = throttle.MaxRules * maxScenes

// record is what a cell counts that is no Log. Instants and windows are milliseconds.
type record struct {
	slot      uint32
	algorithm throttle.Algorithm
	window    int64
	start     int64
	// current and previous are a Counter's counts; current is a Fixed's.
	current, previous int64
	// level and limit are a Bucket's: parts of an event, and how many leak in a millisecond.
	level, limit int64
}

// numbers are what a record is read by.
type numbers struct {
	algorithm            throttle.Algorithm
	limit, window, burst int64
}

// numbersOf returns those of a cell. A Log cell reads what r has by r's algorithm.
func numbersOf(c *throttle.Cell, r record) numbers {
	n := numbers{algorithm: c.Algorithm, limit: c.Limit, window: c.Window.Milliseconds(), burst: c.Burst}
	if c.Algorithm == throttle.Log {
		n.algorithm, n.burst = r.algorithm, c.Limit
	}
	return n
}

// clamped returns r with a start in the future moved to now.
func (r record) clamped(now int64) record {
	r.start = min(r.start, now)
	return r
}

// standing returns r as it stands now, by its own numbers; false if it is dead.
func (r record) standing(now int64) (record, bool) {
	r = r.clamped(now)
	switch r.algorithm {
	case throttle.Bucket:
		return r.leaked(now)
	case throttle.Fixed:
		return r.ended(now)
	}
	return r.rolled(now)
}

// differs says that r was written with other numbers.
func (r record) differs(n numbers) bool {
	return r.algorithm != n.algorithm || r.window != n.window || r.algorithm == throttle.Bucket && r.limit != n.limit
}

// as returns a standing r as one of the numbers n.
func (r record) as(n numbers, now int64) record {
	if r.differs(n) {
		r = r.changed(n, now)
	}
	if r.algorithm == throttle.Bucket {
		r.level = min(r.level, n.mostLevel())
	}
	return r
}

// changed returns a record of the numbers n that starts with what a standing r counts.
func (r record) changed(n numbers, now int64) record {
	used := min(r.used(now), throttle.MaxCount)
	to := record{slot: r.slot, algorithm: n.algorithm, window: n.window, start: now}
	switch n.algorithm {
	case throttle.Counter:
		to.previous = used
	case throttle.Fixed:
		to.current = used
		if r.algorithm == throttle.Fixed && now-r.start < n.window {
			to.start = r.start
		}
	case throttle.Bucket:
		to.limit, to.level = n.limit, used*n.window
		if r.algorithm == throttle.Bucket && r.window == n.window {
			to.level = r.level
		}
	}
	return to
}

// used returns how many events a standing r counts now, rounded up.
func (r record) used(now int64) int64 {
	switch r.algorithm {
	case throttle.Bucket:
		return ceilDiv(r.level, r.window)
	case throttle.Fixed:
		return r.current
	}
	return r.current + ceilDiv(r.previous*r.left(now), r.window)
}

// wait returns how long until one more event passes; 0: now. r is one of the numbers n.
func (r record) wait(n numbers, now int64) int64 {
	switch r.algorithm {
	case throttle.Bucket:
		return r.waitLevel(n)
	case throttle.Fixed:
		return r.waitEnd(n, now)
	}
	return r.waitWeight(n.limit, now)
}

// plus returns r, which is one of the numbers n, with one more event.
func (r record) plus(n numbers, now int64) record {
	switch {
	case r.algorithm == throttle.Bucket:
		r.level = min(r.level+r.window, n.mostLevel())
		return r
	case r.algorithm == throttle.Fixed && r.current == 0:
		r.start = now
	}
	r.current = min(r.current+1, throttle.MaxCount)
	return r
}

// minus returns r without one event of the instant at.
func (r record) minus(at int64) record {
	switch {
	case r.algorithm == throttle.Bucket:
		r.level = max(r.level-r.window, 0)
	case at >= r.start:
		r.current = max(r.current-1, 0)
	case at >= r.start-r.window:
		r.previous = max(r.previous-1, 0)
	}
	return r
}

// ceilDiv returns a/b rounded up, for a >= 0 and b > 0.
func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
