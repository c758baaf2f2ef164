package gateway_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/gateway"
)

// An open breaker lets one call try at a time, stays open for longer when that fails, and closes when it does not.
func TestBreakerTriesAndRecovers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only, release := newCarrier(), make(chan struct{})
		only.fails(gateway.Temporary)
		r := broken(t, nil, only)
		for i := range 5 {
			_, _ = r.Send(t.Context(), to(another(20+i)))
		}
		for i, open := range []time.Duration{1, 2, 4, 8, 16, 16} { // seconds
			time.Sleep(open*time.Second - time.Millisecond)
			if calls, _ := only.asked(r, another(i)); calls != 0 {
				t.Fatalf("asked within %d s", open)
			}
			time.Sleep(time.Millisecond)
			if calls, _ := only.asked(r, another(i)); calls != 1 {
				t.Fatalf("%d calls after %d s", calls, open)
			}
		}
		time.Sleep(16 * time.Second)
		only.says = func(string) error { <-release; return nil }
		done := make(chan error, 1)
		go func() { _, err := r.Send(context.Background(), to(another(10))); done <- err }()
		synctest.Wait()
		if calls, err := only.asked(r, another(11)); calls != 0 || err == nil {
			t.Fatalf("two calls try at once: %v", err)
		}
		close(release)
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if calls, err := only.asked(r, china); calls != 1 || err != nil {
				t.Fatalf("it did not close: %v", err)
			}
		}
	})
}

// A number that failed it tries again only when others have had as long to do so: it may be what is wrong.
func TestOthersTryFirst(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := newCarrier()
		only.fails(gateway.Configuration)
		r := broken(t, nil, only)
		for _, wait := range []time.Duration{0, 10 * time.Second, 20 * time.Second} {
			time.Sleep(wait - min(wait, time.Millisecond))
			if calls, _ := only.asked(r, china); wait > 0 && calls != 0 {
				t.Fatalf("it tried within %s", wait)
			}
			time.Sleep(min(wait, time.Millisecond))
			if calls, _ := only.asked(r, china); wait > 0 && calls != 1 {
				t.Fatalf("it did not try after %s", wait)
			}
		}
	})
}

// A call that tries and says nothing of the class (its number is bad) lets the next one try.
func TestATryThatSaysNothingIsRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only := newCarrier()
		only.fails(gateway.Configuration)
		r := broken(t, nil, only)
		_, _ = r.Send(t.Context(), to(china))
		time.Sleep(5 * time.Second)
		only.fails(gateway.BadNumber)
		for i := range 3 {
			if calls, _ := only.asked(r, another(i)); calls != 1 {
				t.Fatal("nobody may try any more")
			}
		}
		only.fails("")
		if calls, err := only.asked(r, another(3)); calls != 1 || err != nil {
			t.Fatal(err)
		}
	})
}

// Calls that began before the breaker closed, and end after, open it no second time: they are of the time before.
func TestLateFailuresAreOfAnotherTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		only, release := newCarrier(), make(chan struct{})
		r := broken(t, nil, only)
		only.says = func(string) error { <-release; return errors.New("lost") }
		var late sync.WaitGroup
		for i := range 20 {
			late.Go(func() { _, _ = r.Send(context.Background(), to(another(40+i))) })
		}
		synctest.Wait()
		only.fails(gateway.Temporary)
		for i := range 5 {
			_, _ = r.Send(t.Context(), to(another(20+i)))
		}
		time.Sleep(time.Second)
		only.fails("")
		_, _ = r.Send(t.Context(), to(another(1))) // tries, and closes it
		close(release)
		late.Wait()
		if calls, err := only.asked(r, china); calls != 1 || err != nil {
			t.Errorf("it opened again: %v", err)
		}
	})
}

// However many send at once and whatever comes of it, the breaker keeps count, lets at most one try, and recovers.
func TestBreakerUnderManyAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		numbers := []string{china, britain, america, germany, france}
		reasons := append(gateway.Reasons(), "")
		var well atomic.Bool
		first, second := newCarrier(), newCarrier()
		first.says = func(string) error {
			if r := reasons[rand.IntN(len(reasons))]; !well.Load() && r != "" {
				return refuses(r)
			}
			return nil
		}
		r := broken(t, prometheus.NewRegistry(), first, second)
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				for range 300 {
					_, _ = r.Send(context.Background(), to(numbers[rand.IntN(len(numbers))]))
					time.Sleep(time.Duration(rand.IntN(50)) * time.Millisecond)
				}
			})
		}
		all.Wait()
		well.Store(true)
		time.Sleep(time.Minute) // longer than any circuit is open
		for _, number := range numbers {
			if calls, err := first.asked(r, number); calls != 1 || err != nil {
				t.Errorf("it did not recover: %v", err)
			}
		}
	})
}
