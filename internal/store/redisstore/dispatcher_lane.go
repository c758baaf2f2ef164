package redisstore

import (
	"context"
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// open starts a lane: it carries batch after batch until nothing waits, so that a breaker which opens meanwhile refuses
// all that waits. d.mu is held.
func (d *dispatcher) open() {
	d.lanes++
	d.work.Go(func() {
		for batch := d.next(); len(batch) > 0; batch = d.next() {
			d.carry(batch)
		}
	})
}

// next returns the next batch. Without one the lane is over.
func (d *dispatcher) next() []*queued {
	d.mu.Lock()
	defer d.mu.Unlock()
	batch := d.take()
	if len(batch) == 0 {
		d.lanes--
	}
	return batch
}

// take takes a batch out of the queue, passing over calls whose time is up: their callers have gone, or are going.
// d.mu is held.
func (d *dispatcher) take() []*queued {
	var batch []*queued
	now, n, bytes, most := time.Now(), 0, 0, d.breaker.most(d.bounds.calls)
	for ; n < len(d.queue) && len(batch) < most; n++ {
		q := d.queue[n]
		if len(batch) > 0 && bytes+q.size > d.bounds.bytes {
			break
		}
		if q.late(now) {
			continue
		}
		batch, bytes = append(batch, q), bytes+q.size
	}
	d.queue = slices.Delete(d.queue, 0, n)
	d.traffic.queued.Add(-int64(n))
	return batch
}

// carry sends a batch, if the breaker lets it, and hands out the answers.
func (d *dispatcher) carry(batch []*queued) {
	deadline := d.deadline(batch)
	judge, err := d.breaker.begin(time.Until(deadline))
	if err != nil {
		failAll(batch, err)
		return
	}
	ctx, cancel := context.WithDeadline(d.life, deadline)
	defer cancel()
	d.traffic.batches.Observe(float64(len(batch)))
	t := trip{sent: d.local()}
	d.send(ctx, commands(batch))
	t.received = d.local()
	judge(batch[len(batch)-1].cmd.Err()) // a connection that breaks fails the last one, whatever came before
	for _, q := range batch {
		q.finish(t, q.cmd.Err())
	}
}

// failAll fails calls that were not sent.
func failAll(batch []*queued, err error) {
	for _, q := range batch {
		q.finish(trip{}, err)
	}
}

func commands(batch []*queued) []redis.Cmder {
	all := make([]redis.Cmder, len(batch))
	for i, q := range batch {
		all[i] = q.cmd
	}
	return all
}

// deadline returns when the last caller of a batch gives up.
func (d *dispatcher) deadline(batch []*queued) time.Time {
	var last time.Time
	for _, q := range batch {
		deadline, ok := q.ctx.Deadline()
		if !ok {
			return time.Now().Add(d.bounds.budget)
		}
		if deadline.After(last) {
			last = deadline
		}
	}
	return last
}

// arm lets another look, in a moment, whether the queue needs another lane. It is called while there is one to be had, and
// none opens before but one for a queue that had none. d.mu is held.
func (d *dispatcher) arm(in time.Duration) {
	d.armed = true
	d.widen.Reset(in)
}

// another opens a lane more if the oldest call in the queue has waited for as long as it should.
func (d *dispatcher) another() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed = false
	if len(d.queue) == 0 {
		return
	}
	if left := d.bounds.patience - time.Since(d.queue[0].entered); left > 0 {
		d.arm(left)
		return
	}
	d.open()
	if d.lanes < d.bounds.lanes {
		d.arm(d.bounds.patience)
	}
}
