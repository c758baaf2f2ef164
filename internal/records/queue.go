package records

import (
	"fmt"
	"sync"
)

// Bounds of what waits in memory: at 5,000 sends a second, each a row and a change, some three seconds.
const (
	maxQueueRows  = 32_768
	maxQueueBytes = 32 << 20
)

// row is one thing to write: a verification, a change or a handle.
type row struct {
	verification *Verification
	change       *Change
	handle       *Handle
	pending      *Pending
	bytes        int // about what it holds in memory
}

// queue holds rows in the order in which they came. Safe for concurrent use.
type queue struct {
	wake  chan struct{} // has an element where rows came
	whole chan struct{} // has one where they fill a batch

	mu     sync.Mutex
	rows   []row
	bytes  int
	closed bool
}

func newQueue() *queue {
	return &queue{wake: make(chan struct{}, 1), whole: make(chan struct{}, 1)}
}

// push takes a row, or says why not.
func (q *queue) push(r row) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.room(r.bytes); err != nil {
		return err
	}
	q.rows = append(q.rows, r)
	q.bytes += r.bytes
	q.tell()
	return nil
}

// tell wakes who waits for what there is.
func (q *queue) tell() {
	if len(q.rows) > 0 {
		poke(q.wake)
	}
	if len(q.rows) >= maxBatchRows {
		poke(q.whole)
	}
}

func (q *queue) room(bytes int) error {
	switch {
	case q.closed:
		return fmt.Errorf("%w: closed", ErrUnavailable)
	case len(q.rows) >= maxQueueRows || q.bytes+bytes > maxQueueBytes:
		return fmt.Errorf("%w: %d rows wait already", ErrUnavailable, len(q.rows))
	}
	return nil
}

// full says whether push would take no row of usual size.
func (q *queue) full() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.room(typicalRow)
}

// pop returns the first rows, at most so many.
func (q *queue) pop(most int) (rows []row) {
	q.mu.Lock()
	defer q.mu.Unlock()
	n := min(most, len(q.rows))
	rows = append(rows, q.rows[:n]...)
	for _, r := range rows {
		q.bytes -= r.bytes
	}
	clear(q.rows[:n]) // or they would be held by what is left
	if q.rows = q.rows[n:]; len(q.rows) == 0 {
		q.rows = nil
	}
	q.tell()
	return rows
}

func (q *queue) len() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.rows)
}

// close lets no more rows in.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
}

// poke leaves an element in c, if there is none.
func poke(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
