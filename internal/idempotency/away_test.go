package idempotency

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"
)

// The store fails at each step, before it has done its work or after.
func TestStoreThatFails(t *testing.T) {
	t.Parallel()
	for _, call := range []string{"find", "begin", "finish", "forget"} {
		for _, after := range []bool{false, true} {
			if call == "find" && after {
				continue // nothing is left of a find
			}
			t.Run(fmt.Sprintf("%s after %t", call, after), func(t *testing.T) {
				t.Parallel()
				r := newRig(t)
				when := r.store.before
				if after {
					when = r.store.after
				}
				r.store.fails(when, call, errBoom)
				_, err := r.do(r.request("k", "alice"), r.send("one"))
				if failed := call == "find" || call == "begin"; failed != errors.Is(err, ErrUnavailable) || failed != (r.executed == 0) {
					t.Errorf("executed %d times, error %v", r.executed, err)
				}
				r.store.fails(when, call, nil)
				for range 3 {
					_, err = r.do(r.request("k", "alice"), r.send("again"))
					*r.now = r.now.Add(20 * time.Second)
				}
				if r.executed != 1 {
					t.Errorf("executed %d times; at last %v", r.executed, err)
				}
			})
		}
	}
}

// A request that failed, and could not be forgotten, is not executed again, but ends in the open.
func TestForgetThatFails(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.store.fails(r.store.before, "forget", errBoom)
	undone := func(t *Turn) ([]byte, error) { return nil, errors.Join(t.Begin(context.Background(), "id"), errBoom) }
	r.want(r.request("k", "alice"), undone, "", false, errBoom)
	r.want(r.request("k", "alice"), r.never, "", false, ErrInProgress)
	if got := r.outcomes(); got["forget"] != 1 {
		t.Errorf("counted as %v", got)
	}
}

// With the store away a request ends before it runs. Look-ups are bounded in time and in number.
func TestStoreAway(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.store.hang, r.ledger.budget = make(chan struct{}), 50*time.Millisecond
	var wait sync.WaitGroup
	for i := range 3 * maxLooks {
		q := r.request(fmt.Sprint("k", i), "alice")
		wait.Go(func() {
			if _, err := r.do(q, r.never); !errors.Is(err, ErrUnavailable) {
				t.Errorf("error %v", err)
			}
		})
	}
	wait.Wait()
	if n := len(r.ledger.looks); n != 0 {
		t.Errorf("%d looks go on", n)
	}
	r.store.hang, r.ledger.budget = nil, time.Minute
	r.want(r.request("k0", "alice"), r.send("one"), "one", false, nil)
	if r.gate.taken != 0 {
		t.Errorf("%d places were taken by what was not looked up", r.gate.taken)
	}
}
