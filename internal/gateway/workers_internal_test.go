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
func (w *workers) callers(t *testing.T, n int) {
	w.driver.(gathers).all.Add(n)
	var all sync.WaitGroup
	for range n {
		all.Go(func() {
			w.slots <- struct{}{}
			if o := w.call(task{ctx: t.Context()}, time.Second); o.failure != nil {
				t.Error(o.failure)
			}
		})
	}
	all.Wait()
}

// busy returns workers after n calls at the same time, and says how many wait for the next.
func busy(t *testing.T, n int) (w *workers, idle func() int) {
	t.Helper()
	w = &workers{driver: gathers{&sync.WaitGroup{}}, slots: make(chan struct{}, n)}
	w.callers(t, n)
	return w, func() int {
		w.mu.Lock()
		defer w.mu.Unlock()
		return len(w.idle)
	}
}

func TestWorkersThatNobodyNeedsEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, idle := busy(t, 5)
		if idle() != 5 {
			t.Fatalf("%d wait after five calls at once", idle())
		}
		time.Sleep(idleFor * 3 / 2)
		w.callers(t, 1)
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

func TestWorkersThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, idle := busy(t, maxIdle+10)
		if idle() != maxIdle {
			t.Errorf("%d wait, want %d", idle(), maxIdle)
		}
		w.close()
	})
}

// What is sent after the close goes out all the same, and leaves nothing behind.
func TestCloseEndsTheWorkersThatWait(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, idle := busy(t, 3)
		w.close()
		w.callers(t, 1)
		if idle() != 0 {
			t.Errorf("%d wait", idle())
		}
		w.close()
	})
}

// A look that is due at the moment of the close comes after it, and finds nobody to dismiss.
func TestALookAfterTheCloseFindsNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w, idle := busy(t, 3)
		w.close()
		w.thin()
		if idle() != 0 || w.looking {
			t.Errorf("%d wait, and another look is due: %t", idle(), w.looking)
		}
	})
}
