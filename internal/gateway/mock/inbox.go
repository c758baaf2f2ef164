package mock

import (
	"context"
	"crypto/rand"
	"sync"
	"time"
)

// MaxMessages is how many messages the inbox keeps: the newest.
const MaxMessages = 1000

// inbox is a ring of the newest messages, and those who wait for the next.
type inbox struct {
	now func() time.Time

	mu      sync.Mutex
	ring    []entry // of MaxMessages, never grown
	start   int     // of the oldest
	n       int
	last    time.Time // CreatedAt of the newest message ever
	waiters map[*waiter]struct{}
}

// entry is a message, and who reports on it.
type entry struct {
	Message
	report Reporter
}

// waiter is one Wait. It gets its message in its hand, since by the time that it looks the ring may have
// gone round. A waiter is in inbox.waiters until it has its message or its context ends.
type waiter struct {
	filter Filter
	got    chan Message // holds one
}

func newInbox(now func() time.Time) *inbox {
	return &inbox{now: now, ring: make([]entry, MaxMessages), waiters: make(map[*waiter]struct{})}
}

// add takes m in, on which report reports, gives it an id and a time, and hands it to all who wait for it. It returns the id.
func (b *inbox) add(m Message, report Reporter) string {
	b.mu.Lock()
	defer b.mu.Unlock()
	m.ID, m.CreatedAt = rand.Text(), b.stamp()
	b.push(entry{m, report})
	for w := range b.waiters {
		if w.filter.matches(m) {
			w.got <- m
			delete(b.waiters, w)
		}
	}
	return m.ID
}

// stamp returns the time, or a nanosecond after the newest message if that is later: who asks for what
// came since that message must miss none, whatever the clock's grain and steps.
func (b *inbox) stamp() time.Time {
	now := b.now().Round(0).UTC()
	if !now.After(b.last) {
		now = b.last.Add(1)
	}
	b.last = now
	return now
}

func (b *inbox) push(e entry) {
	if b.n < len(b.ring) {
		b.ring[(b.start+b.n)%len(b.ring)] = e
		b.n++
		return
	}
	b.ring[b.start] = e
	b.start = (b.start + 1) % len(b.ring)
}

// at returns the i-th entry, oldest first.
func (b *inbox) at(i int) entry { return b.ring[(b.start+i)%len(b.ring)] }

// entries returns those that match, newest first.
func (b *inbox) entries(f Filter) []entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	var found []entry
	for i := b.n - 1; i >= 0 && (f.Limit <= 0 || len(found) < f.Limit); i-- {
		if e := b.at(i); f.matches(e.Message) {
			found = append(found, e)
		}
	}
	return found
}

func (b *inbox) messages(f Filter) []Message {
	var found []Message
	for _, e := range b.entries(f) {
		found = append(found, e.Message)
	}
	return found
}

func (b *inbox) clear() {
	b.mu.Lock()
	defer b.mu.Unlock()
	clear(b.ring)
	b.start, b.n = 0, 0
}

func (b *inbox) wait(ctx context.Context, f Filter) (Message, bool) {
	w := b.enter(f)
	defer b.leave(w)
	select { // what is there goes before a context that has ended
	case m := <-w.got:
		return m, true
	default:
	}
	select {
	case m := <-w.got:
		return m, true
	case <-ctx.Done():
		return Message{}, false
	}
}

// enter returns a waiter that has its message, or that the next match will be handed to.
func (b *inbox) enter(f Filter) *waiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	w := &waiter{filter: f, got: make(chan Message, 1)}
	for i := range b.n {
		if e := b.at(i); f.matches(e.Message) {
			w.got <- e.Message
			return w
		}
	}
	b.waiters[w] = struct{}{}
	return w
}

func (b *inbox) leave(w *waiter) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.waiters, w)
}
