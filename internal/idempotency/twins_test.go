package idempotency

import (
	"context"
	"errors"
	"testing"
	"time"
)

// A request runs, and its twins come meanwhile: in this process, and in another.
func TestTwinsOfARunningRequest(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := r.instance(r.store, 1)
	r.want(r.request("k", "alice"), func(turn *Turn) ([]byte, error) {
		r.want(r.request("k", "alice"), r.never, "", false, ErrInProgress)
		r.want(r.request("k", "bob"), r.never, "", false, ErrMismatch)
		body, err := r.send("one")(turn)
		for _, content := range []string{"alice", "bob"} {
			_, there := other.Do(context.Background(), r.request("k", content), r.never)
			if want := map[string]error{"alice": ErrInProgress, "bob": ErrMismatch}[content]; !errors.Is(there, want) {
				t.Errorf("%s elsewhere: %v, want %v", content, there, want)
			}
		}
		return body, err
	}, "one", false, nil)
	if got, err := other.Do(context.Background(), r.request("k", "alice"), r.never); string(got.Body) != "one" || !got.Replayed || err != nil {
		t.Errorf("elsewhere, afterwards: %q, %v", got.Body, err)
	}
	if r.executed != 1 {
		t.Errorf("executed %d times", r.executed)
	}
}

// Both are charged before one of them begins: the other one's Begin is refused.
func TestTwinThatBeginsFirst(t *testing.T) {
	t.Parallel()
	for name, finished := range map[string]bool{"still running": false, "already answered": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			other := r.instance(r.store, 1)
			run := func(turn *Turn) ([]byte, error) {
				if _, err := other.Do(context.Background(), r.request("k", "alice"), r.send("theirs")); err != nil {
					t.Error(err)
				}
				if !finished {
					e := r.store.all()[0]
					e.Answer = nil
					r.store.byID[e.ID] = e
				}
				body, err := r.send("ours")(turn)
				if !errors.Is(err, ErrInProgress) || errors.Is(err, ErrUnavailable) {
					t.Errorf("the second Begin: %v", err)
				}
				return body, err
			}
			if finished {
				r.want(r.request("k", "alice"), run, "theirs", true, nil)
			} else {
				r.want(r.request("k", "alice"), run, "", false, ErrInProgress)
			}
			if r.executed != 1 {
				t.Errorf("executed %d times", r.executed)
			}
		})
	}
}

// A twin was charged first, and so this one is refused: it looks again, after the twin had time to begin.
func TestRefusedBecauseOfATwin(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := r.instance(r.store, 1)
	r.ledger.pause = func(d time.Duration) {
		if d <= 0 || d > time.Second {
			t.Errorf("waits for %s", d)
		}
		_, _ = other.Do(context.Background(), r.request("k", "alice"), r.send("theirs"))
	}
	refused := func(*Turn) ([]byte, error) { return nil, errLimit }
	r.want(r.request("k", "alice"), refused, "theirs", true, nil)
	r.ledger.pause = func(time.Duration) {}
	r.want(r.request("k2", "alice"), refused, "", false, errLimit)
	r.ledger.pause = func(time.Duration) { r.store.fails(r.store.before, "find", errBoom) }
	r.want(r.request("k3", "alice"), refused, "", false, errLimit)
}

// A Begin that fails takes back its own entry, and never a twin's.
func TestFailedBeginLeavesTheTwins(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	other := r.instance(r.store, 1)
	r.want(r.request("k", "alice"), func(turn *Turn) ([]byte, error) {
		_, _ = other.Do(context.Background(), r.request("k", "alice"), func(theirs *Turn) ([]byte, error) {
			_ = theirs.Begin(context.Background(), "theirs")
			theirs.Hold()
			return nil, errBoom
		})
		r.store.fails(r.store.before, "begin", errBoom)
		return r.send("ours")(turn)
	}, "", false, ErrUnavailable)
	if all := r.store.all(); len(all) != 1 || all[0].SMSID != "theirs" {
		t.Errorf("the twin's entry is gone: %v", all)
	}
}
