package deadline

import (
	"context"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

type ctxKey struct{}

// Whatever is asked of it, and in whatever order, a Context answers as the standard library's would.
func TestContextIsAsTheStandardOne(t *testing.T) {
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
					got := New(values, at)
					defer got.End()
					for _, name := range []string{first, second, third} {
						if name != "passes" {
							steps[name](want, cancel)
						}
						steps[name](got, got.End)
						synctest.Wait()
						alike(t, got, want, first+", "+second+", "+third+": "+name)
					}
				})
			}
		}
	}
}

// alike checks that got is what want is. Whether it is done is asked of one that is derived, too.
func alike(t *testing.T, got *Context, want context.Context, when string) {
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

// What is derived from a Context ends with it, by its time and by hand.
func TestWhatIsDerivedEndsWithIt(t *testing.T) {
	t.Parallel()
	for _, byHand := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			d := New(context.Background(), time.Now().Add(time.Second))
			derived, cancel := context.WithTimeout(d, time.Minute)
			want := context.DeadlineExceeded
			if byHand {
				d.End()
				want = context.Canceled
			}
			<-derived.Done()
			if derived.Err() != want {
				t.Errorf("%v, want %v", derived.Err(), want)
			}
			cancel()
			d.End()
		})
	}
}

// A driver's HTTP derives contexts: none of them takes a goroutine that waits for its end. Not parallel: it counts goroutines.
func TestDerivingTakesNoGoroutine(t *testing.T) {
	d := New(context.Background(), time.Now().Add(time.Hour))
	defer d.End()
	before := runtime.NumGoroutine()
	for range 100 {
		_, cancel := context.WithCancel(d)
		defer cancel()
	}
	if more := runtime.NumGoroutine() - before; more > 50 {
		t.Errorf("%d goroutines more", more)
	}
}

// Of the context that it is made from it has the values, and not the end.
func TestItOutlivesWhatItIsMadeFrom(t *testing.T) {
	t.Parallel()
	client, hangUp := context.WithCancel(context.WithValue(context.Background(), ctxKey{}, "kept"))
	before, after := New(client, time.Now().Add(time.Hour)), New(client, time.Now().Add(time.Hour))
	ofAfter := New(after, time.Now().Add(time.Hour))
	waited := before.Done()
	hangUp()
	for _, c := range []*Context{before, after, ofAfter} {
		if c.Err() != nil || c.Value(ctxKey{}) != "kept" {
			t.Errorf("%v, %v", c.Err(), c.Value(ctxKey{}))
		}
	}
	before.End()
	after.End()
	<-waited
	<-after.Done()
	if ofAfter.Err() != nil {
		t.Errorf("%v, though what it was made from alone has ended", ofAfter.Err())
	}
	ofAfter.End()
}

// Who minds the deadline himself starts no timer, and hears of the end of any other context.
func TestEarlyStartsNoTimer(t *testing.T) {
	t.Parallel()
	c := New(context.Background(), time.Now().Add(time.Hour))
	defer c.End()
	if Early(c) != nil || c.standard != nil {
		t.Error("it was made a standard one")
	}
	client, hangUp := context.WithCancel(context.Background())
	hangUp()
	<-Early(client)
}
