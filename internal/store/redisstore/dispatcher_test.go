package redisstore

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/pause"
	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// What queues while a batch is out goes together, and up to the bound.
func TestQueuedCallsGoTogether(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	wantNone(t, []error{r.take(context.Background())}) // so that the script is known
	before, _ := batches(t, r.servers.fleet.traffic.batches)
	r.hold("gate")
	end := r.each(100, func(int) error { return r.take(context.Background()) })
	r.waiting(100)
	r.release("gate")
	wantNone(t, end())
	if n, _ := batches(t, r.servers.fleet.traffic.batches); n-before != 3 { // the gate, 64 and 36
		t.Errorf("%d batches, want 3", n-before)
	}
	if n := used(t, r.Counters(), limited("p", 1000, time.Hour)); n != 101 {
		t.Errorf("used %d, want 101", n)
	}
}

// A batch is bounded in bytes too; a call that is larger than that goes alone.
func TestLargeCallsGoApart(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	echo := func(bytes int) func(int) error {
		return func(int) error {
			cmd := redis.NewStringCmd(context.Background(), "echo", strings.Repeat("x", bytes))
			_, err := r.node.do(context.Background(), cmd)
			if err == nil && len(cmd.Val()) != bytes {
				return errReply
			}
			return err
		}
	}
	r.hold("gate")
	before, _ := batches(t, r.servers.fleet.traffic.batches)
	ends := []func() []error{r.each(1, echo(10*maxBatchBytes)), r.each(6, echo(maxBatchBytes*2/5))}
	r.waiting(7)
	r.release("gate")
	for _, end := range ends {
		wantNone(t, end())
	}
	if n, _ := batches(t, r.servers.fleet.traffic.batches); n-before < 4 {
		t.Errorf("%d batches, want the large one and at least three of two calls", n-before)
	}
}

// Each caller leaves at its own end, whatever its batch does; what had not gone out does not go out any more. (A Peek,
// since nothing else would keep it from happening.)
func TestCallersLeaveTheQueue(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	peek := func(ctx context.Context) error {
		_, err := r.Counters().Peek(ctx, takeOf(limited("p", 9, time.Hour)))
		return err
	}
	r.hold("gate")
	r.server.ConfigResetStat(context.Background())
	cancelled, cancel := context.WithCancel(context.Background())
	hungUp := r.each(1, func(int) error { return peek(cancelled) })
	patient := r.each(1, func(int) error { return peek(context.Background()) })
	r.waiting(2)
	if err := peek(shortly(t)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the caller whose time was short: %v", err)
	}
	r.waiting(2)
	cancel()
	if err := hungUp()[0]; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that hung up: %v", err)
	}
	r.waiting(1)
	r.release("gate")
	wantNone(t, patient())
	if calls := scriptCalls(t, r.server); calls != "calls=1" {
		t.Errorf("the server ran scripts: %s, want the patient caller's alone", calls)
	}
}

// A caller whose timer comes late is still in the queue after its deadline, and one that has hung up may be there for a
// moment: neither is sent.
func TestCallPastItsDeadlineIsPassedOver(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	hungUp, cancel := context.WithCancel(context.Background())
	cancel()
	r.hold("gate")
	var late []*queued
	for _, ctx := range []context.Context{overdue{context.Background()}, hungUp} {
		late = append(late, newQueued(ctx, redis.NewStatusCmd(context.Background(), "set", "late", 1)))
	}
	r.node.calls.mu.Lock()
	r.place(late...)
	r.node.calls.mu.Unlock()
	end := r.each(1, func(int) error { return r.take(context.Background()) })
	r.waiting(3)
	r.release("gate")
	wantNone(t, end())
	for i, want := range []error{context.DeadlineExceeded, context.Canceled} {
		if <-late[i].done; !errors.Is(late[i].err, want) {
			t.Errorf("its caller is told %v, want %v", late[i].err, want)
		}
	}
	if n := r.server.Exists(context.Background(), "late").Val(); n != 0 {
		t.Error("it was sent")
	}
}

// overdue is a context whose deadline has passed and whose timer has not fired.
type overdue struct{ context.Context }

func (overdue) Deadline() (time.Time, bool) { return time.Now().Add(-time.Hour), true }

// A caller that leaves while its batch is out leaves the others their answers.
func TestCallerLeavesItsBatch(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	ctx, cancel := context.WithCancel(context.Background())
	r.hold("first")
	r.block("second")
	r.waiting(1)
	hungUp := r.each(1, func(int) error { return r.take(ctx) })
	others := r.each(9, func(int) error { return r.take(context.Background()) })
	r.waiting(11)
	r.release("first")
	r.waiting(0)
	r.held(1)
	cancel()
	if err := hungUp()[0]; !errors.Is(err, context.Canceled) {
		t.Errorf("the caller that hung up: %v", err)
	}
	r.release("second")
	wantNone(t, others())
}

// PyrateLimiter#182: unknown scripts in the midst of a batch cost their callers one more trip, and the others nothing.
func TestUnknownScriptInMidBatch(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.server.ScriptFlush(context.Background())
	if err := r.take(context.Background()); err != nil { // that script is known
		t.Fatal(err)
	}
	r.hold("gate")
	before, _ := batches(t, r.servers.fleet.traffic.batches)
	end := r.each(40, func(i int) error {
		if i%2 == 0 {
			return r.take(context.Background())
		}
		_, err := r.Codes().Get(context.Background(), "none")
		if errors.Is(err, sms.ErrNotFound) {
			return nil
		}
		return errReply
	})
	r.waiting(40)
	r.release("gate")
	wantNone(t, end())
	if n := used(t, r.Counters(), limited("p", 1000, time.Hour)); n != 21 {
		t.Errorf("used %d, want 21", n)
	}
	if n, calls := batches(t, r.servers.fleet.traffic.batches); n-before > 22 {
		t.Errorf("%d batches of %d calls", n-before, calls)
	}
}

// One command that fails fails nobody else.
func TestFailingCommandFailsItsCallerOnly(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.hold("gate")
	end := r.each(30, func(i int) error {
		if i%3 > 0 {
			return r.take(context.Background())
		}
		cmd := redis.NewIntSliceCmd(context.Background(), "eval", "return redis.call('NONSENSE')", 0)
		_, err := r.node.do(context.Background(), cmd)
		var answer redis.Error
		if errors.As(err, &answer) {
			return nil
		}
		return errReply
	})
	r.waiting(30)
	r.release("gate")
	wantNone(t, end())
}

// A queue that is full refuses at once, by an error like that of a server that is away.
func TestQueueIsBounded(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.bound(func(b *bounds) { b.queue = 10 })
	r.hold("gate")
	end := r.each(10, func(int) error { return r.take(context.Background()) })
	r.waiting(10)
	err := r.take(context.Background())
	if !errors.Is(err, throttle.ErrUnavailable) || !errors.Is(err, errQueueFull) {
		t.Errorf("the eleventh: %v", err)
	}
	if _, err := r.Codes().Get(context.Background(), "a"); !errors.Is(err, sms.ErrUnavailable) {
		t.Errorf("a code: %v", err)
	}
	r.release("gate")
	wantNone(t, end())
}

// A slow answer, or a connection that hangs, holds up nobody as long as one lane is free.
func TestSlowAnswerHoldsUpNobody(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.patient(patience)
	for n := range maxLanes - 1 {
		r.block("slow")
		r.held(n + 1)
	}
	wantNone(t, r.each(100, func(int) error { return r.take(context.Background()) })())
	for range maxLanes - 1 {
		r.release("slow")
	}
}

// As long as calls wait, lane after lane opens, though nobody comes any more.
func TestLanesOpenOneAfterTheOther(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.hold("slow")
	r.bound(func(b *bounds) { b.patience, b.calls = 100*time.Millisecond, 1 })
	for range 3 {
		r.block("slow")
	}
	r.held(4)
	for range 4 {
		r.release("slow")
	}
}

// Calls that keep coming do not put off the next lane.
func TestLaneOpensUnderAFlow(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.hold("gate")
	before, _ := batches(t, r.servers.fleet.traffic.batches)
	r.patient(200 * time.Millisecond)
	var ends []func() []error
	for n, out := before, 0; n == before; n, _ = batches(t, r.servers.fleet.traffic.batches) {
		ends = append(ends, r.each(1, func(int) error { return r.take(context.Background()) }))
		if out++; out == 1000 {
			t.Error("a thousand calls wait")
			break
		}
		pause.For(context.Background(), time.Millisecond)
	}
	r.release("gate")
	for _, end := range ends {
		wantNone(t, end())
	}
}

// A batch is out until its last caller's time is up, whoever's ends first.
func TestBatchLastsForItsLastCaller(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	short := shortly(t)
	long, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	first := newQueued(short, redis.NewStringSliceCmd(short, "blpop", "gate", 0))
	last := newQueued(long, redis.NewStatusCmd(long, "ping"))
	r.together(first, last)
	<-short.Done()
	pause.For(long, 50*time.Millisecond) // a batch that ends with its first caller ends in this time
	r.release("gate")
	<-last.done
	wantNone(t, []error{last.err})
}

// Close ends what is on the wire and what waits, and its goroutines; what comes later fails.
func TestCloseEndsAllCalls(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.hold("gate")
	end := r.each(10, func(int) error { return r.take(context.Background()) })
	r.waiting(10)
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	for _, err := range append(end(), r.take(context.Background())) {
		if wantUnavailable(t, err); !errors.Is(err, errClosed) {
			t.Errorf("got %v, want %v in it", err, errClosed)
		}
	}
	r.work.Wait()
	if r.node.calls.lanes != 0 || r.servers.fleet.traffic.queued.Load() != 0 {
		t.Errorf("%d lanes, %d calls are left", r.node.calls.lanes, r.servers.fleet.traffic.queued.Load())
	}
}
