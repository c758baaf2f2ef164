package idempotency

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestAnAnswerIsReplayed(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.want(r.request("k", "alice"), r.send("one"), "one", false, nil)
	r.want(r.request(`"k"`, "alice"), r.never, "one", true, nil)
	r.want(r.request("k", "bob"), r.never, "", false, ErrMismatch)
	r.want(r.request("k2", "alice"), r.send("two"), "two", false, nil)
	app, route := r.request("k", "alice"), r.request("k", "alice")
	app.App, route.Route = "other", "/resend"
	r.want(app, r.send("three"), "three", false, nil)
	r.want(route, r.send("four"), "four", false, nil)
	*r.now = start.Add(24*time.Hour - time.Millisecond)
	r.want(r.request("k", "alice"), r.never, "one", true, nil)
	*r.now = start.Add(24 * time.Hour)
	r.want(r.request("k", "alice"), r.send("five"), "five", false, nil)
	if got := r.outcomes(); got["new"] != 5 || got["replayed"] != 2 || got["mismatch"] != 1 {
		t.Errorf("counted as %v", got)
	}
}

// Content is compared field by field: what two fields hold together is not enough.
func TestContentIsFieldByField(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.want(r.request("k", "ab", "c"), r.send("one"), "one", false, nil)
	for _, content := range [][]string{{"a", "bc"}, {"abc"}, {"abc", ""}, {"ab", "c", ""}, {}} {
		r.want(r.request("k", content...), r.never, "", false, ErrMismatch)
	}
}

func TestFailuresAreNotStored(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	refused := func(*Turn) ([]byte, error) { return nil, errBoom }
	undone := func(t *Turn) ([]byte, error) { return nil, errors.Join(t.Begin(context.Background(), "id"), errBoom) }
	r.want(r.request("k", "alice"), refused, "", false, errBoom)
	if n := r.store.count("begin") + r.store.count("forget"); n != 0 {
		t.Errorf("a refused request has written %d times", n)
	}
	r.want(r.request("k", "alice"), undone, "", false, errBoom)
	r.want(r.request("k", "bob"), r.send("one"), "one", false, nil) // other content too: nothing was done
	r.want(r.request("k", "bob"), r.never, "one", true, nil)
}

// A failure that may have been none is never done again.
func TestHeldFailure(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	doubt := func(t *Turn) ([]byte, error) {
		t.Hold()
		return nil, errors.Join(t.Begin(context.Background(), "id"), errBoom)
	}
	r.want(r.request("k", "alice"), doubt, "", false, errBoom)
	r.want(r.request("k", "alice"), r.never, "", false, ErrInProgress)
	*r.now = start.Add(15 * time.Second)
	r.want(r.request("k", "alice"), r.never, "", false, ErrOutcomeUnknown)
}

// A client that hangs up changes nothing.
func TestHungUp(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if got, err := r.ledger.Do(gone, r.request("k", "alice"), r.send("one")); err != nil || string(got.Body) != "one" {
		t.Errorf("%q, %v", got.Body, err)
	}
	r.want(r.request("k", "alice"), r.never, "one", true, nil)
}
