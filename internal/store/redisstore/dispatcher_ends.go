package redisstore

import (
	"context"
	"slices"
	"time"
)

// watch has the caller of a call told when its time is up. One timer does it for all, and goes off for the first of them:
// calls end long before their time as a rule, so it is set once in a budget, and not once a call. d.mu is held.
func (d *dispatcher) watch(end time.Time) {
	if end.IsZero() || !d.first.IsZero() && !end.Before(d.first) {
		return
	}
	d.first = end
	d.ends.Reset(time.Until(end))
}

// expire tells all callers whose time is up, and watches the others.
func (d *dispatcher) expire() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.first = time.Time{}
	now, waiting := time.Now(), len(d.queue)
	d.queue = slices.DeleteFunc(d.queue, func(q *queued) bool { return d.expired(q, now) })
	d.traffic.queued.Add(int64(len(d.queue) - waiting))
	for _, l := range d.all {
		for _, q := range l.batch { // what is out stays out, for nobody
			d.expired(q, now)
		}
	}
}

// expired tells the caller of a call if its time is up, and else watches it. d.mu is held.
func (d *dispatcher) expired(q *queued, now time.Time) bool {
	if !q.past(now) {
		d.watch(q.end)
		return false
	}
	q.finish(trip{}, context.DeadlineExceeded)
	return true
}
