package gateway

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

type ctxKey struct{}

// Whatever is asked of it, and in whatever order, a deadline answers as the standard library's would.
func TestDeadlineIsAsTheStandardOne(t *testing.T) {
	t.Parallel()
	steps := map[string]func(ctx context.Context, end func()){
		"looks":   func(ctx context.Context, _ func()) { _ = ctx.Err() },
		"waits":   func(ctx context.Context, _ func()) { _ = ctx.Done() },
		"derives": func(ctx context.Context, _ func()) { _, cancel := context.WithCancel(ctx); cancel() },
		"passes":  func(context.Context, func()) { time.Sleep(time.Second) },
		"ends":    func(_ context.Context, end func()) { end() },
	}
	for first := range steps {
		for second := range steps {
			for third := range steps {
				synctest.Test(t, func(t *testing.T) {
					values := context.WithValue(context.Background(), ctxKey{}, "kept")
					at := time.Now().Add(time.Second)
					want, cancel := context.WithDeadline(values, at)
					defer cancel()
					got := &deadline{values: values, at: at}
					defer got.end()
					for _, name := range []string{first, second, third} {
						if name != "passes" {
							steps[name](want, cancel)
						}
						steps[name](got, got.end)
						synctest.Wait()
						alike(t, got, want, first+", "+second+", "+third+": "+name)
					}
				})
			}
		}
	}
}

// alike checks that got is what want is. Whether it is done is asked of one that is derived, too.
func alike(t *testing.T, got *deadline, want context.Context, when string) {
	t.Helper()
	if got.Err() != want.Err() || got.Value(ctxKey{}) != "kept" {
		t.Errorf("%s: %v with %v, want %v", when, got.Err(), got.Value(ctxKey{}), want.Err())
	}
	if at, has := got.Deadline(); !has || !at.Equal(got.at) {
		t.Errorf("%s: its end is %v", when, at)
	}
	if got.standard == nil {
		return // to ask more would wait
	}
	derived, cancel := context.WithCancel(got)
	defer cancel()
	for _, ctx := range []context.Context{got, derived} {
		select {
		case <-ctx.Done():
			if want.Err() == nil {
				t.Errorf("%s: it is done", when)
			}
		default:
			if want.Err() != nil {
				t.Errorf("%s: it is not done", when)
			}
		}
	}
}

// What is derived from a deadline ends with it, by its time and by hand.
func TestWhatIsDerivedEndsWithTheDeadline(t *testing.T) {
	t.Parallel()
	for _, byHand := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := &deadline{values: context.Background(), at: time.Now().Add(time.Second)}
			derived, cancel := context.WithTimeout(d, time.Minute)
			want := context.DeadlineExceeded
			if byHand {
				d.end()
				want = context.Canceled
			}
			<-derived.Done()
			if derived.Err() != want {
				t.Errorf("%v, want %v", derived.Err(), want)
			}
			cancel()
			d.end()
		})
	}
}

// A driver's HTTP derives contexts: none of them takes a goroutine that waits for the deadline. Not parallel: it counts goroutines.
func TestDerivingTakesNoGoroutine(t *testing.T) {
	d := &deadline{values: context.Background(), at: time.Now().Add(time.Hour)}
	defer d.end()
	before := runtime.NumGoroutine()
	for range 100 {
		_, cancel := context.WithCancel(d)
		defer cancel()
	}
	if more := runtime.NumGoroutine() - before; more > 50 {
		t.Errorf("%d goroutines more", more)
	}
}
