package idempotency

import "testing"

// Answers from the store take a place each; what is executed takes its own elsewhere. Without a place nothing is read.
func TestGate(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.gate.left = 3
	r.want(r.request("k", "alice"), r.send("one"), "one", false, nil)
	if r.gate.taken != 0 {
		t.Errorf("executing took %d places of the gate", r.gate.taken)
	}
	r.want(r.request("k", "alice"), r.never, "one", true, nil)
	r.want(r.request("k", "bob"), r.never, "", false, ErrMismatch)
	r.want(r.request("k", "alice"), r.never, "one", true, nil)
	reads := r.store.count("find")
	r.want(r.request("k", "alice"), r.never, "", false, errLimit)
	r.want(r.request("k3", "alice"), r.never, "", false, errLimit)
	if n := r.store.count("find"); n != reads {
		t.Errorf("%d reads without a place", n-reads)
	}
}

func TestRunningIsBounded(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.ledger.running.most = 1
	r.want(r.request("k", "alice"), func(turn *Turn) ([]byte, error) {
		r.want(r.request("k2", "alice"), r.never, "", false, ErrUnavailable)
		return r.send("one")(turn)
	}, "one", false, nil)
	r.want(r.request("k2", "alice"), r.send("two"), "two", false, nil)
}
