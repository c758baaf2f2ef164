package throttle_test

import (
	"errors"
	"testing"
	"time"

	"smsd/internal/throttle"
)

// A refusal is known by the name that the request was given also where the deny cache has answered for the store: a
// resend that a block refuses before its number is known would else tell the block's wait alone.
func TestNamesLearnWhatTheDenyCacheRefused(t *testing.T) {
	t.Parallel()
	w := newDenyWorld(t)
	request := cooldown(t, "192.0.2.1")
	w.allowed(t, request)
	w.clock.Advance(time.Second)
	w.asks(t, 0, func() {
		again, err := w.Limiter.Prepare(request)
		if err != nil {
			t.Fatal(err)
		}
		again.As("again")
		var denied *throttle.Denied
		if _, err := again.Reserve(t.Context()); !errors.As(err, &denied) || denied.RetryAfter != 59*time.Second {
			t.Fatalf("%v, want a refusal for 59s", err)
		}
		w.clock.Advance(10 * time.Second)
		if err := w.Limiter.Known(request.Rules, "again"); !errors.As(err, &denied) || denied.RetryAfter != 49*time.Second {
			t.Errorf("%v is known of it, want 49s", err)
		}
	})
}
