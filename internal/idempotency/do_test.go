package idempotency

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/keyring"
)

var (
	start    = time.Date(2026, 11, 30, 6, 0, 0, 0, time.UTC)
	errBoom  = errors.New("boom")
	errLimit = errors.New("refused")
)

// rig is a ledger over a store, a client's gate and a clock.
type rig struct {
	*testing.T
	store    *memory
	ledger   *Ledger
	registry *prometheus.Registry
	gate     *counted
	now      *time.Time
	executed int // how often something was done that can't be undone
}

// counted is a gate that lets through as many as it is told.
type counted struct {
	mu    sync.Mutex
	left  int
	taken int
}

func (c *counted) Ask() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left <= c.taken {
		return errLimit
	}
	return nil
}

func (c *counted) Allow() error {
	if err := c.Ask(); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken++
	return nil
}

func newRig(t *testing.T) *rig {
	now := start
	r := &rig{T: t, store: newMemory(), registry: prometheus.NewRegistry(), gate: &counted{left: 1000}, now: &now}
	r.ledger = r.instance(r.store, 1)
	return r
}

// instance is a ledger of another process with the same store.
func (r *rig) instance(s Store, secrets ...byte) *Ledger {
	r.Helper()
	var all [][]byte
	for _, b := range secrets {
		all = append(all, bytes.Repeat([]byte{b}, keyring.MinSecret))
	}
	root, err := keyring.New(all)
	if err != nil {
		r.Fatal(err)
	}
	registry := r.registry
	if r.ledger != nil {
		registry = prometheus.NewRegistry()
	}
	l, err := New(Options{
		Store: s, IndexSecret: bytes.Repeat([]byte("i"), keyring.MinSecret), Secrets: root,
		Now: func() time.Time { return *r.now }, Registerer: registry,
		Budget: time.Minute,
	})
	if err != nil {
		r.Fatal(err)
	}
	l.pause = func(time.Duration) {}
	return l
}

// request asks for content under the key.
func (r *rig) request(key string, content ...string) Request {
	r.Helper()
	k, err := ParseKey([]string{key})
	if err != nil {
		r.Fatal(err)
	}
	return Request{
		App: "default", Route: "/send", Key: k, Content: content, Keep: 24 * time.Hour, Longest: 15 * time.Second, Gate: r.gate,
		Doubtful: func(err error) bool { return errors.Is(err, errLimit) },
		Rebuild:  func(context.Context, Entry) ([]byte, error) { return nil, ErrOutcomeUnknown },
	}
}

// send is a run that begins, does what can't be undone, and answers.
func (r *rig) send(answer string) func(*Turn) ([]byte, error) {
	return func(t *Turn) ([]byte, error) {
		if err := t.Begin(context.Background(), "id-of-"+answer); err != nil {
			return nil, err
		}
		r.executed++
		return []byte(answer), nil
	}
}

func (r *rig) do(q Request, run func(*Turn) ([]byte, error)) (Answer, error) {
	return r.ledger.Do(context.Background(), q, run)
}

// want fails unless the request ends so; answer "" is an error.
func (r *rig) want(q Request, run func(*Turn) ([]byte, error), answer string, replayed bool, failure error) {
	r.Helper()
	got, err := r.do(q, run)
	if string(got.Body) != answer || got.Replayed != replayed || !errors.Is(err, failure) {
		r.Errorf("answer %q (replayed %t), error %v; want %q (%t), %v", got.Body, got.Replayed, err, answer, replayed, failure)
	}
}

// never is a run that must not run.
func (r *rig) never(*Turn) ([]byte, error) {
	r.Helper()
	r.Error("executed again")
	return nil, errBoom
}

// dies is a run whose process ends: nothing after it is done.
func (r *rig) dies(run func()) {
	defer func() {
		if v := recover(); v != errBoom {
			r.Errorf("panic %v", v)
		}
	}()
	run()
}

func (r *rig) outcomes() map[string]float64 {
	families, err := r.registry.Gather()
	if err != nil {
		r.Fatal(err)
	}
	all := map[string]float64{}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if len(m.GetLabel()) > 0 && m.GetCounter().GetValue() > 0 {
				all[m.GetLabel()[0].GetValue()] = m.GetCounter().GetValue()
			}
		}
	}
	return all
}

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
				return r.send("ours")(turn)
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

// Whoever dies, and wherever, nothing is done twice.
func TestProcessThatDies(t *testing.T) {
	t.Parallel()
	die := func(*Turn) ([]byte, error) { panic(errBoom) }
	r := newRig(t)
	r.dies(func() { _, _ = r.do(r.request("k", "alice"), die) })
	r.want(r.request("k", "alice"), r.send("one"), "one", false, nil) // nothing had begun

	begun := func(turn *Turn) ([]byte, error) {
		_ = turn.Begin(context.Background(), "id")
		panic(errBoom)
	}
	r.dies(func() { _, _ = r.do(r.request("k2", "alice"), begun) })
	q := r.request("k2", "alice")
	r.want(q, r.never, "", false, ErrInProgress)
	*r.now = start.Add(15*time.Second - time.Millisecond)
	r.want(q, r.never, "", false, ErrInProgress)
	*r.now = start.Add(15 * time.Second)
	r.want(q, r.never, "", false, ErrOutcomeUnknown)
	r.want(r.request("k2", "bob"), r.never, "", false, ErrMismatch)
	q.Rebuild = func(_ context.Context, e Entry) ([]byte, error) { return []byte("rebuilt " + e.SMSID), nil }
	r.want(q, r.never, "rebuilt id", true, nil)
	q.Rebuild = func(context.Context, Entry) ([]byte, error) { t.Error("rebuilt twice"); return nil, errBoom }
	r.want(q, r.never, "rebuilt id", true, nil)
	*r.now = start.Add(24*time.Hour - time.Millisecond)
	r.want(q, r.never, "rebuilt id", true, nil)
	*r.now = start.Add(24 * time.Hour)
	r.want(q, r.send("anew"), "anew", false, nil)
}

// Where nothing was done under an entry, it is done now.
func TestNothingDone(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.dies(func() {
		_, _ = r.do(r.request("k", "alice"), func(turn *Turn) ([]byte, error) {
			_ = turn.Begin(context.Background(), "id")
			panic(errBoom)
		})
	})
	*r.now = start.Add(time.Minute)
	q := r.request("k", "alice")
	q.Rebuild = func(context.Context, Entry) ([]byte, error) { return nil, ErrNothingDone }
	r.want(q, r.send("one"), "one", false, nil)
	r.want(q, r.never, "one", true, nil)
}

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

// Nothing that is stored tells a key, what was asked or what was answered, or that two asked the same.
func TestStoredForm(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.want(r.request("the-key-of-a-client", "+8613800138000"), r.send("the answer"), "the answer", false, nil)
	r.want(r.request("the-key-of-another", "+8613800138000"), r.send("the answer"), "the answer", false, nil)
	all := r.store.all()
	for _, e := range all {
		text := fmt.Sprintf("%s %s %s", e.ID[:], e.Content[:], e.Answer)
		for _, clear := range []string{"client", "another", "8000", "the answer"} {
			if strings.Contains(text, clear) {
				t.Errorf("%q is in %q", clear, text)
			}
		}
	}
	if len(all) != 2 || all[0].Content == all[1].Content {
		t.Errorf("two entries of one content can be told to be that: %v", all)
	}
	all[0].Answer, all[1].Answer = all[1].Answer, all[0].Answer
	r.store.byID[all[0].ID], r.store.byID[all[1].ID] = all[0], all[1]
	*r.now = start.Add(time.Minute)
	r.want(r.request("the-key-of-a-client", "+8613800138000"), r.never, "", false, ErrOutcomeUnknown) // another's answer is no answer
}

// Secrets rotate under entries: the keys' hashes stay, and answers open while their secret is in use.
func TestRotation(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	r.want(r.request("k", "alice"), r.send("one"), "one", false, nil)
	r.ledger = r.instance(r.store, 2, 1)
	r.want(r.request("k", "alice"), r.never, "one", true, nil)
	r.ledger = r.instance(r.store, 2)
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

func TestNewNamesWhatIsMissing(t *testing.T) {
	t.Parallel()
	root, err := keyring.New([][]byte{bytes.Repeat([]byte("k"), keyring.MinSecret)})
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"no store":       {IndexSecret: bytes.Repeat([]byte("i"), 32), Secrets: root},
		"no secrets":     {IndexSecret: bytes.Repeat([]byte("i"), 32), Store: newMemory()},
		"a short secret": {IndexSecret: []byte("short"), Store: newMemory(), Secrets: root},
	} {
		if _, err := New(o); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
