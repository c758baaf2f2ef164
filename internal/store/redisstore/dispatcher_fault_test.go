package redisstore

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// go-redis#2339, rate-limit-redis#252: a whole batch is executed, and its connection breaks before an answer. Each call
// counts once, none is sent again, and those that queued behind it are not touched.
func TestBrokenConnectionFailsItsBatchOnly(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	p := testserver.Proxy(t, s.Socket())
	r := newRig(t, p.URL(), s)
	if err := r.take(context.Background()); err != nil {
		t.Fatal(err)
	}
	r.server.ConfigResetStat(context.Background())
	r.hold("first")
	r.block("second")
	r.waiting(1)
	batch := r.each(20, func(int) error { return r.take(context.Background()) })
	r.waiting(21)
	r.release("first")
	r.waiting(0)
	r.held(1)
	behind := r.each(5, func(int) error { return r.take(context.Background()) })
	r.waiting(5)
	p.SwallowReplies(0)
	r.release("second")
	eventually(t, "the server does it", func() bool { return scriptCalls(t, r.server) == "calls=20" })
	p.Forsake() // first: the answers may be on their way still
	p.Pass()
	p.Cut()
	for _, err := range batch() {
		wantUnavailable(t, err)
	}
	wantNone(t, behind())
	if calls := scriptCalls(t, r.server); calls != "calls=25" {
		t.Errorf("the server ran scripts: %s, want 25", calls)
	}
	if n := used(t, r.Counters(), limited("p", 1000, time.Hour)); n != 26 {
		t.Errorf("used %d, want 26", n)
	}
}

// A connection that breaks after some errors of the server is a loss, though those prove it alive a moment before.
func TestBatchThatBreaksIsAFailure(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	ctx := context.Background()
	answered := newQueued(ctx, redis.NewStatusCmd(ctx, "nonsense"))
	end, lost := newQueued(ctx, redis.NewStatusCmd(ctx, "quit")), newQueued(ctx, redis.NewStatusCmd(ctx, "ping"))
	r.together(answered, end, lost)
	<-answered.done
	if <-lost.done; !refusal(answered.err) || lost.err == nil || refusal(lost.err) {
		t.Errorf("%v, %v", answered.err, lost.err)
	}
	if n := r.node.calls.breaker.gate.Counts().TotalFailures; n != 1 {
		t.Errorf("%d trips have failed, want 1", n)
	}
}

// What a frozen server was sent, it does when it thaws: past its deadline it changes nothing, and what had not
// been sent by then is not sent.
func TestBatchesOfAFrozenServer(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.patient(patience)
	if err := r.take(context.Background()); err != nil {
		t.Fatal(err)
	}
	r.server.ConfigResetStat(context.Background())
	s.Freeze()
	for _, err := range r.each(200, func(int) error { return r.take(shortly(t)) })() {
		wantUnavailable(t, err)
	}
	s.Thaw()
	eventually(t, "the lanes end", func() bool { return r.out() == 0 }) // or their failures could open the breaker again
	eventually(t, "recovery", func() bool { return r.take(context.Background()) == nil })
	if n := used(t, r.Counters(), limited("p", 1000, time.Hour)); n != 2 {
		t.Errorf("used %d, want 2", n)
	}
	calls := strings.TrimPrefix(scriptCalls(t, r.server), "calls=")
	if n, err := strconv.Atoi(calls); err != nil || n > 202 {
		t.Errorf("the server ran %s scripts for 202 calls", calls)
	}
}

// The clock learns from a trip that holds the instant at which the server answered, in whatever batch.
func TestTripHoldsTheAnswer(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.hold("gate")
	end := r.each(150, func(int) error { return r.timed() })
	r.waiting(150)
	r.release("gate")
	wantNone(t, end())
	wantNone(t, r.each(50, func(int) error { return r.timed() })())
}

// timed asks for the server's time, which is this machine's.
func (r *rig) timed() error {
	cmd := redis.NewTimeCmd(context.Background(), "time")
	asked := r.node.clock.local()
	trip, err := r.node.do(context.Background(), cmd)
	if err != nil {
		return err
	}
	if now := r.node.clock.local(); trip.sent < asked || trip.received < trip.sent || trip.received > now {
		r.t.Errorf("asked at %d, sent at %d, received at %d, known at %d", asked, trip.sent, trip.received, now)
	}
	// The two clocks are not read at once: it was answered at some instant between these.
	early := r.node.clock.local()
	ago := int64(time.Since(cmd.Val()))
	early, latest := early-ago, r.node.clock.local()-ago
	if slack := int64(20 * time.Microsecond); latest < trip.sent-slack || early > trip.received+slack {
		r.t.Errorf("answered from %d to %d, sent at %d, received at %d", early, latest, trip.sent, trip.received)
	}
	return nil
}
