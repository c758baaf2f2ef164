package gateway

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// These tests run in bubbles of package synctest, which fail where a goroutine is left at their end.

// gathers is a driver that answers when so many calls are there.
type gathers struct{ all *sync.WaitGroup }

func (g gathers) Send(context.Context, Message) (Accepted, error) {
	g.all.Done()
	g.all.Wait()
	return Accepted{}, nil
}

// callers has so many call at the same time.
func (h *hands) callers(t *testing.T, n int) {
	h.driver.(gathers).all.Add(n)
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			h.slots <- struct{}{}
			if o := h.call(t.Context(), Message{}, time.Second); o.failure != nil {
				t.Error(o.failure)
			}
		})
	}
	all.Wait()
}

// busy returns hands after n calls at the same time, and says how many wait for the next.
func busy(t *testing.T, n int) (h *hands, idle func() int) {
	t.Helper()
	h = &hands{driver: gathers{&sync.WaitGroup{}}, slots: make(chan struct{}, n)}
	h.callers(t, n)
	return h, func() int {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.idle)
	}
}

func TestHandsThatNobodyNeedsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, idle := busy(t, 5)
		if idle() != 5 {
			t.Fatalf("%d wait after five calls at once", idle())
		}
		time.Sleep(idleFor * 3 / 2)
		h.callers(t, 1)
		time.Sleep(idleFor) // the one that was needed is still there
		if idle() != 1 {
			t.Errorf("%d wait, want the one that was needed", idle())
		}
		time.Sleep(idleFor)
		if idle() != 0 {
			t.Errorf("%d wait that nobody has needed for long", idle())
		}
		synctest.Wait()
	})
}

func TestHandsThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, idle := busy(t, maxIdle+10)
		if idle() != maxIdle {
			t.Errorf("%d wait, want %d", idle(), maxIdle)
		}
		h.close()
	})
}

// What is sent after the close goes out all the same, and leaves nothing behind.
func TestCloseEndsTheHandsThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, idle := busy(t, 3)
		h.close()
		h.callers(t, 1)
		if idle() != 0 {
			t.Errorf("%d wait", idle())
		}
		h.close()
	})
}

// A look that is due at the moment of the close comes after it, and finds nobody to dismiss.
func TestALookAfterTheCloseFindsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		h, idle := busy(t, 3)
		h.close()
		h.thin()
		if idle() != 0 || h.looking {
			t.Errorf("%d wait, and another look is due: %t", idle(), h.looking)
		}
	})
}
