package redisstore

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/redis/go-redis/v9"
	"github.com/sony/gobreaker/v2"

	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// opened makes calls until one is refused without being sent.
func (r *rig) opened() {
	r.t.Helper()
	eventually(r.t, "the breaker opens", func() bool { return errors.Is(r.take(shortly(r.t)), errOpen) })
}

func (r *rig) transitions(to string) float64 {
	return testutil.ToFloat64(r.servers.fleet.traffic.transitions.WithLabelValues(to))
}

// cron-job.org#446, altarwed#637: a frozen server costs the first few calls their time and the others nothing, nothing of them
// happens later, and it is found again without a ping.
func TestBreakerOpensAndRecovers(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	registry := prometheus.NewRegistry()
	r := newRig(t, s.URL(), s, func(o *Options) { o.Registerer = registry })
	b := r.node.calls.breaker
	state := func(want string, is gobreaker.State) {
		t.Helper()
		if got := gauge(t, registry, "smsd_redis_breaker_state"); got != want && b.gate.State() == is {
			t.Errorf("the metric says %s, want %s", got, want)
		}
	}
	wantNone(t, []error{r.take(context.Background())})
	state("0", gobreaker.StateClosed)
	s.Freeze()
	r.opened()
	state("2", gobreaker.StateOpen)
	if out := r.transitions("open"); out == 0 {
		t.Error("no transition is counted")
	}
	sent := 0
	for range 1000 {
		err := r.take(shortly(t))
		if wantUnavailable(t, err); !errors.Is(err, errOpen) {
			sent++
		}
	}
	if sent > 10 { // one whenever it tries, should this take seconds
		t.Errorf("%d of 1000 calls were sent", sent)
	}
	s.Thaw()
	eventually(t, "recovery", func() bool { return r.take(context.Background()) == nil })
	state("0", gobreaker.StateClosed)
	for _, to := range []string{"half_open", "closed"} {
		if r.transitions(to) == 0 {
			t.Errorf("no transition to %s is counted", to)
		}
	}
	if n := used(t, r.Counters(), limited("p", 1000, time.Hour)); n != 2 {
		t.Errorf("used %d, want 2", n)
	}
}

// gauge returns the value of a metric that has one.
func gauge(t *testing.T, r *prometheus.Registry, name string) string {
	t.Helper()
	families, err := r.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		if f.GetName() == name {
			return map[float64]string{0: "0", 1: "1", 2: "2"}[f.GetMetric()[0].GetGauge().GetValue()]
		}
	}
	return "nothing"
}

// A server that may be back is tried with one call, whoever else calls meanwhile.
func TestBreakerProbesWithOneCall(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	registry := prometheus.NewRegistry()
	r := newRig(t, s.URL(), s, func(o *Options) { o.Registerer = registry })
	b := r.node.calls.breaker
	b.fair = 0 // each trip counts, however late a busy machine lets it go out
	s.Freeze()
	r.opened()
	eventually(t, "half open", func() bool { return b.gate.State() == gobreaker.StateHalfOpen })
	if got := gauge(t, registry, "smsd_redis_breaker_state"); got != "1" {
		t.Errorf("the metric says %s, want 1", got)
	}
	before, callsBefore := batches(t, r.servers.fleet.traffic.batches)
	n, calls := before, callsBefore
	for limit := time.Now().Add(time.Minute); n == before && time.Now().Before(limit); { // else their time was up before one was sent
		ctx := within(t, 500*time.Millisecond)
		for _, err := range r.each(100, func(int) error { return r.take(ctx) })() { // those who came with it wait for its end
			wantUnavailable(t, err)
		}
		n, calls = batches(t, r.servers.fleet.traffic.batches)
	}
	if n != before+1 || calls != callsBefore+1 {
		t.Errorf("%d trips of %d calls, want one of one", n-before, calls-callsBefore)
	}
	if err := r.Ping(context.Background()); !errors.Is(err, throttle.ErrUnavailable) {
		t.Errorf("ping of a server that is not back: %v", err)
	}
	s.Thaw()
	eventually(t, "recovery by nothing but pings", func() bool { return r.Ping(context.Background()) == nil })
	wantNone(t, []error{r.take(context.Background())})
}

// Of several calls that queue before the lane of the one that tries takes any, it takes one.
func TestBreakerProbesWithOneOfABatch(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	d := r.node.calls
	d.breaker.fair = 0
	s.Freeze()
	r.opened()
	eventually(t, "those are over", func() bool { return r.out() == 0 })
	eventually(t, "half open", func() bool { return d.breaker.gate.State() == gobreaker.StateHalfOpen })
	before, callsBefore := batches(t, r.servers.fleet.traffic.batches)
	var all []*queued
	for i := range 20 {
		ctx := context.Background()
		if i == 0 {
			ctx = shortly(t)
		}
		all = append(all, newQueued(ctx, redis.NewStatusCmd(ctx, "ping")))
	}
	r.together(all...)
	for _, q := range all {
		<-q.done
	}
	n, calls := batches(t, r.servers.fleet.traffic.batches)
	if n != before+1 || calls != callsBefore+1 {
		t.Errorf("%d trips of %d calls, want one of one", n-before, calls-callsBefore)
	}
	s.Thaw()
}

// Whoever only asks whether the server is there finds out that it is not, and then asks it no more.
func TestPingsOpenTheBreaker(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	s.Freeze()
	eventually(t, "the breaker opens", func() bool { return errors.Is(r.Ping(shortly(t)), errOpen) })
	s.Thaw()
}

// A probe that says nothing of the server leaves room for the next one.
func TestProbeThatSaysNothingIsFollowedByAnother(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	b := r.node.calls.breaker
	s.Freeze()
	for range tripsInARow {
		fail, err := b.begin(time.Second)
		if err != nil {
			t.Fatal(err)
		}
		fail(io.EOF)
	}
	eventually(t, "half open", func() bool { return b.gate.State() == gobreaker.StateHalfOpen })
	for range 3 {
		unfair, err := b.begin(0)
		if err != nil {
			t.Fatal(err)
		}
		if !b.refuses() {
			t.Error("a second call may try at the same time")
		}
		unfair(context.DeadlineExceeded)
		if b.refuses() {
			t.Error("no other call may try")
		}
	}
	s.Thaw()
	wantNone(t, []error{r.take(context.Background())})
}

// What waits when the breaker opens is refused with it: it would wait for nothing.
func TestOpeningBreakerEmptiesTheQueue(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.node.calls.breaker.fair = 0 // each of them counts, however late a busy machine lets it go out
	s.Freeze()
	for r.failures() < tripsInARow-1 { // a call whose time is up before it is sent is no trip
		wantUnavailable(t, r.take(shortly(t)))
		eventually(t, "that is over", func() bool { return r.out() == 0 })
	}
	last := r.each(1, func(int) error { return r.take(within(t, 3*time.Second)) })
	eventually(t, "the last one has a lane", func() bool { return r.out() == 1 })
	r.waiting(0) // and is out, so that nobody comes with it
	behind := r.each(70, func(int) error { return r.take(context.Background()) })
	for _, err := range behind() {
		if !errors.Is(err, errOpen) {
			t.Errorf("got %v", err)
		}
	}
	wantUnavailable(t, last()[0])
	s.Thaw()
}

// failures returns how many trips in a row have failed.
func (r *rig) failures() uint32 { return r.node.calls.breaker.gate.Counts().ConsecutiveFailures }

// out returns how many lanes are in use.
func (r *rig) out() int {
	r.node.calls.mu.Lock()
	defer r.node.calls.mu.Unlock()
	return r.node.calls.lanes
}

// Callers whose time is too short to tell say nothing of the server, however many.
func TestShortDeadlinesLeaveTheBreakerClosed(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	s.Freeze()
	for range 10 * tripsInARow {
		ctx, cancel := context.WithTimeout(context.Background(), fairWait/20)
		wantUnavailable(t, r.take(ctx))
		cancel()
	}
	s.Thaw()
	if r.transitions("open") != 0 {
		t.Error("it has opened")
	}
}

// A server that answers is alive, whatever it answers.
func TestErrorsLeaveTheBreakerClosed(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	r.server.ConfigSet(context.Background(), "maxmemory", "1")
	for range 10 * tripsInARow {
		r.server.ScriptFlush(context.Background())
		wantUnavailable(t, r.take(context.Background()))
	}
	r.server.ConfigSet(context.Background(), "maxmemory", "0")
	wantNone(t, []error{r.take(context.Background())})
	if r.transitions("open") != 0 {
		t.Error("it has opened")
	}
}

// httprate#62, mettle#309: callers that hang up at any moment cost nothing but their own call, and say nothing of the server.
func TestHangUpsLeaveTheBreakerClosed(t *testing.T) {
	t.Parallel()
	const callers = 1000
	s := testserver.Redis(t)
	r := newRig(t, s.URL(), s)
	var work sync.WaitGroup
	for i := range callers {
		ctx, cancel := context.WithCancel(context.Background())
		work.Go(func() { _ = r.take(ctx) })
		work.Go(func() {
			time.Sleep(time.Duration(i) * 10 * time.Microsecond) // any moment will do
			cancel()
		})
	}
	work.Wait()
	g := limited("p", 2*callers, time.Hour)
	wantNone(t, []error{r.take(context.Background())}) // so that all before it have ended
	if n := used(t, r.Counters(), g); n < 1 || n > callers+1 {
		t.Errorf("used %d by %d calls", n, callers+1)
	}
	if r.transitions("open") != 0 {
		t.Error("the breaker has opened")
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	b := newBreaker(time.Second, newTraffic())
	closedPort := &net.OpError{Op: "dial", Err: os.ErrNotExist}
	for _, c := range []struct {
		name string
		err  error
		left time.Duration
		want error
	}{
		{"an answer", nil, 0, nil},
		{"an error of the server", redisError("OOM"), time.Second, nil},
		{"nothing there", redis.Nil, time.Second, nil},
		{"silence", context.DeadlineExceeded, fairWait, context.DeadlineExceeded},
		{"silence on the socket", os.ErrDeadlineExceeded, fairWait, os.ErrDeadlineExceeded},
		{"silence too short", os.ErrDeadlineExceeded, fairWait - 1, errUnfair},
		{"cancelled", context.Canceled, time.Second, errUnfair},
		{"broken off", io.EOF, 0, io.EOF},
		{"nobody there", closedPort, 0, closedPort},
	} {
		if got := b.judge(c.err, c.left); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// A server that answers half of the trips, or fewer, opens the breaker too; chance does not.
func TestTripped(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		counts gobreaker.Counts
		want   bool
	}{
		{gobreaker.Counts{Requests: 4, TotalFailures: 4, ConsecutiveFailures: 4}, false},
		{gobreaker.Counts{Requests: 1000, TotalFailures: 5, ConsecutiveFailures: 5}, true},
		{gobreaker.Counts{Requests: 18, TotalFailures: 9, ConsecutiveFailures: 1}, false},
		{gobreaker.Counts{Requests: 20, TotalFailures: 10, ConsecutiveFailures: 1}, true},
		{gobreaker.Counts{Requests: 21, TotalFailures: 10, ConsecutiveFailures: 1}, false},
	} {
		if got := tripped(c.counts); got != c.want {
			t.Errorf("%+v: %v", c.counts, got)
		}
	}
}

// Breakers that open together do not all try again together.
func TestOpenTime(t *testing.T) {
	t.Parallel()
	drawn := map[time.Duration]bool{}
	for range 100 {
		d := openTime()
		if d < openFor || d >= 2*openFor {
			t.Errorf("drew %s", d)
		}
		drawn[d] = true
	}
	if len(drawn) < 90 {
		t.Errorf("of 100 draws %d differ", len(drawn))
	}
}

// A budget that is short in itself is a fair wait.
func TestFairWait(t *testing.T) {
	t.Parallel()
	for budget, want := range map[time.Duration]time.Duration{time.Second: fairWait, fairWait: fairWait / 2} {
		if b := newBreaker(budget, newTraffic()); b.fair != want {
			t.Errorf("of %s: %s, want %s", budget, b.fair, want)
		}
	}
}
