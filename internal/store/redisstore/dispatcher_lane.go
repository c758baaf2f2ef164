package redisstore

import (
	"slices"
	"time"

	"github.com/redis/go-redis/v9"
)

// lane is what carries one batch at a time. It keeps its memory from batch to batch.
type lane struct {
	batch    []*queued // on the wire; d.mu is held to change it
	commands []redis.Cmder
	run      func() // carries batch after batch until nothing waits
}

// open starts a lane: it carries batch after batch until nothing waits, so that a breaker which opens meanwhile refuses
// all that waits. d.mu is held.
func (d *dispatcher) open() {
	d.lanes++
	d.work.Go(d.rested().run)
}

// rested returns a lane that nobody uses. d.mu is held.
func (d *dispatcher) rested() *lane {
	if last := len(d.idle) - 1; last >= 0 {
		l := d.idle[last]
		d.idle = d.idle[:last]
		return l
	}
	l := &lane{}
	l.run = func() {
		for d.next(l) {
			d.carry(l)
		}
	}
	d.all = append(d.all, l)
	return l
}

// next gives l the next batch. Without one the lane is over.
func (d *dispatcher) next(l *lane) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	l.batch = d.take(l.batch)
	if len(l.batch) == 0 {
		d.lanes--
		d.idle = append(d.idle, l)
		return false
	}
	return true
}

// take appends a batch out of the queue, passing over calls whose time is up: their callers have gone, or are going.
// d.mu is held.
func (d *dispatcher) take(batch []*queued) []*queued {
	now, n, bytes, most := time.Now(), 0, 0, d.breaker.most(d.bounds.calls)
	for ; n < len(d.queue) && len(batch) < most; n++ {
		q := d.queue[n]
		if len(batch) > 0 && bytes+q.size > d.bounds.bytes {
			break
		}
		if err := q.left(now); err != nil {
			q.finish(trip{}, err)
			continue
		}
		batch, bytes = append(batch, q), bytes+q.size
	}
	d.queue = slices.Delete(d.queue, 0, n)
	d.traffic.queued.Add(-int64(n))
	return batch
}

// carry sends l's batch, if the breaker lets it, and hands out the answers.
func (d *dispatcher) carry(l *lane) {
	deadline := d.deadline(l.batch)
	judge, err := d.breaker.begin(time.Until(deadline))
	if err != nil {
		failAll(d.landed(l), err)
		return
	}
	d.traffic.batches.Observe(float64(len(l.batch)))
	t := trip{sent: d.local()}
	d.send(ending{d.life, deadline}, l.pack())
	t.received = d.local()
	batch := d.landed(l)
	judge(batch[len(batch)-1].cmd.Err()) // a connection that breaks fails the last one, whatever came before
	for _, q := range batch {
		q.finish(t, q.cmd.Err())
	}
	clear(batch)
	clear(l.commands)
}

// landed returns the batch that was on the wire. From here on its calls are the lane's alone, until their next batch.
func (d *dispatcher) landed(l *lane) []*queued {
	d.mu.Lock()
	defer d.mu.Unlock()
	batch := l.batch
	l.batch = batch[:0]
	return batch
}

// pack returns the commands of the batch.
func (l *lane) pack() []redis.Cmder {
	l.commands = l.commands[:0]
	for _, q := range l.batch {
		l.commands = append(l.commands, q.cmd)
	}
	return l.commands
}

// failAll fails calls that were not sent.
func failAll(batch []*queued, err error) {
	for _, q := range batch {
		q.finish(trip{}, err)
	}
}

// deadline returns when the last caller of a batch gives up.
func (d *dispatcher) deadline(batch []*queued) time.Time {
	var last time.Time
	for _, q := range batch {
		if q.end.IsZero() {
			return time.Now().Add(d.bounds.budget)
		}
		if q.end.After(last) {
			last = q.end
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
