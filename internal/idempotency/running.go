package idempotency

import "sync"

// maxRunning bounds the requests under a key that one process executes at once. Each holds a connection and waits
// for a gateway: a process has long run out of something else before it has as many.
const maxRunning = 1 << 16

// running is what this process executes, so that a twin is told without a look at the store. Safe for concurrent use.
type running struct {
	mu   sync.Mutex
	most int
	byID map[ID][16]byte // content
}

func newRunning() *running { return &running{most: maxRunning, byID: map[ID][16]byte{}} }

// enter puts a among what runs, or says what ends it.
func (r *running) enter(a asked) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	content, there := r.byID[a.id]
	switch {
	case there && content != a.content:
		return ErrMismatch
	case there:
		return ErrInProgress
	case len(r.byID) >= r.most:
		return ErrUnavailable
	}
	r.byID[a.id] = a.content
	return nil
}

func (r *running) leave(id ID) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byID, id)
}
