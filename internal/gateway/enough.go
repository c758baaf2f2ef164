package gateway

import (
	"errors"
	"sync"
	"time"

	"smsd/internal/phone"
)

// enough remembers numbers of which the carrier has said that they have had enough, so that it is not asked for them again meanwhile. To
// whom it says so nothing is charged: without this one address with one such number could have it asked as often as the process
// takes requests, which costs everybody their turns of the gateway's rate, and the account the vendor's patience.
//
// It goes by scene as well, since some limits are those of a text. Safe for concurrent use; a nil one remembers nothing.
type enough struct {
	mu sync.Mutex
	// Two generations, of which the older one goes every maxEnough: nothing is looked for to be removed.
	young, old map[asker]refusal
	turned     time.Time
}

// asker is whom a carrier's limit was for.
type asker struct {
	number phone.Number
	scene  string
}

// refusal is what the carrier said, and when. It keeps no [Error], into which the router writes.
type refusal struct {
	at    time.Time
	wait  time.Duration // 0: it named none
	code  string
	cause string
}

const (
	// maxEnough is how long it is remembered at most: the shortest window that carriers publish. Their longer waits, up to a day, may be
	// over sooner, by a change at the vendor.
	maxEnough = time.Minute
	// maxAskers bounds each generation, at some 200 bytes each; what is more is asked for again.
	maxAskers = 10_000
)

// refuses returns what a message of that scene to n is told in the carrier's place; nil: the carrier is to be asked.
func (e *enough) refuses(n phone.Number, scene string, now time.Time) *Error {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	who := asker{n, scene}
	said, known := e.young[who]
	if !known {
		said, known = e.old[who]
	}
	passed := now.Sub(said.at)
	if !known || passed >= said.lasts() {
		return nil
	}
	return &Error{
		Reason: Throttled, Sent: NotSent, RetryAfter: max(0, said.wait-passed), Code: said.code, Err: errors.New("not asked again, since it said: " + said.cause),
	}
}

// lasts is how long it is not asked again.
func (r refusal) lasts() time.Duration {
	if r.wait == 0 {
		return maxEnough
	}
	return min(r.wait, maxEnough)
}

// hear takes what came of a call.
func (e *enough) hear(n phone.Number, scene string, failure *Error, now time.Time) {
	if e == nil || failure == nil || failure.Reason != Throttled || failure.Sent != NotSent {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if now.Sub(e.turned) >= maxEnough {
		e.young, e.old, e.turned = map[asker]refusal{}, e.young, now
	}
	if len(e.young) < maxAskers {
		e.young[asker{n, scene}] = refusal{now, failure.RetryAfter, failure.Code, failure.cause()}
	}
}
