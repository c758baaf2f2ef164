package memstore

import "smsd/internal/throttle"

// maxRecords is how many records a key may have: one for each rule and scene. Only those that rules of other names
// left could pass it.
const maxRecords = throttle.MaxRules * maxScenes

// record is a Counter's state: two buckets as long as its window, of which the current one began at
// start. Instants and windows are milliseconds.
type record struct {
	slot              uint32
	window            int64
	start             int64
	current, previous int64
}

// clamped returns r with a start in the future moved to now.
func (r record) clamped(now int64) record {
	r.start = min(r.start, now)
	return r
}

// rolled returns r as it stands now, by its own window; false if it is dead: two windows have elapsed.
func (r record) rolled(now int64) (record, bool) {
	r = r.clamped(now)
	switch elapsed := now - r.start; {
	case elapsed >= 2*r.window:
		return record{}, false
	case elapsed >= r.window:
		r.previous, r.current, r.start = r.current, 0, r.start+r.window
	}
	return r, true
}

// within returns a rolled r for a cell's window: with another one, what it counts now is what the previous
// of two new buckets counted.
func (r record) within(window, now int64) record {
	if r.window == window {
		return r
	}
	return record{slot: r.slot, window: window, start: now, previous: min(r.used(now), throttle.MaxCount)}
}

// left returns how much of the current bucket's window is left.
func (r record) left(now int64) int64 { return r.start + r.window - now }

// used returns how many events a rolled r counts now, rounded up.
func (r record) used(now int64) int64 {
	return r.current + ceilDiv(r.previous*r.left(now), r.window)
}

// wait returns how long until one more event passes limit; 0: now.
func (r record) wait(limit, now int64) int64 {
	left, room := r.left(now), (limit-1-r.current)*r.window
	switch {
	case r.previous*left <= room:
		return 0
	case r.current < limit:
		return ceilDiv(r.previous*left-room, r.previous)
	}
	return left + ceilDiv((r.current-(limit-1))*r.window, r.current)
}

// plus returns r with one more event.
func (r record) plus() record {
	r.current = min(r.current+1, throttle.MaxCount)
	return r
}

// minus returns r without one event of the instant at.
func (r record) minus(at int64) record {
	switch {
	case at >= r.start:
		r.current = max(r.current-1, 0)
	case at >= r.start-r.window:
		r.previous = max(r.previous-1, 0)
	}
	return r
}

// ceilDiv returns a/b rounded up, for a >= 0 and b > 0.
func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
