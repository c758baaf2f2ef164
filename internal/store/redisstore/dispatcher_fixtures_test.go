package redisstore

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"

	"smsd/internal/testserver"
)

// rig is a client whose lanes a test can hold: a command that blocks on the server is on the wire until the test lets it go.
type rig struct {
	*Client
	node   *node
	t      *testing.T
	server *redis.Client
	work   sync.WaitGroup
}

// newRig returns one without patience for a second lane, so that what a held lane leaves behind queues.
func newRig(t *testing.T, url string, s *testserver.RedisServer, change ...func(*Options)) *rig {
	t.Helper()
	r := &rig{Client: open(t, url, change...), t: t, server: raw(t, s)}
	r.node = r.servers.layout().primaries[0]
	r.patient(time.Hour)
	t.Cleanup(r.work.Wait)
	return r
}

// bound changes the dispatcher's bounds. A look for another lane that is due by the old ones is due at once: a call that
// met the end of another on the wire would else have it wait for what patience was then.
func (r *rig) bound(change func(*bounds)) {
	d := r.node.calls
	d.mu.Lock()
	defer d.mu.Unlock()
	change(&d.bounds)
	if d.armed {
		d.arm(0)
	}
}

// patient sets how long a call waits for another lane.
func (r *rig) patient(patience time.Duration) { r.bound(func(b *bounds) { b.patience = patience }) }

// hold occupies one lane until release.
func (r *rig) hold(name string) {
	r.t.Helper()
	r.block(name)
	r.held(1)
}

// block sends a command that waits on the server, and returns before it has got there.
func (r *rig) block(name string) {
	r.work.Go(func() {
		_, _ = r.node.do(context.Background(), redis.NewStringSliceCmd(context.Background(), "blpop", name, 0))
	})
}

// held waits until the server holds n commands.
func (r *rig) held(n int) {
	r.t.Helper()
	eventually(r.t, strconv.Itoa(n)+" lanes are held", func() bool { return r.blocked() == n })
}

// blocked returns how many commands the server holds.
func (r *rig) blocked() int {
	clients := r.server.Info(context.Background(), "clients").Val()
	n, _ := strconv.Atoi(infoField(clients, "blocked_clients"))
	return n
}

func (r *rig) release(name string) { r.server.LPush(context.Background(), name, "go") }

// waiting waits until n calls are in the queue.
func (r *rig) waiting(n int64) {
	r.t.Helper()
	eventually(r.t, strconv.FormatInt(n, 10)+" calls queue", func() bool { return r.servers.fleet.traffic.queued.Load() == n })
}

// each makes n calls at once, and returns their errors when all have ended.
func (r *rig) each(n int, call func(i int) error) func() []error {
	errs := make([]error, n)
	var work sync.WaitGroup
	for i := range n {
		work.Go(func() { errs[i] = call(i) })
	}
	return func() []error { work.Wait(); return errs }
}

// together has calls in the queue before the first lane opens, so that they are one batch.
func (r *rig) together(all ...*queued) {
	d := r.node.calls
	d.mu.Lock()
	defer d.mu.Unlock()
	r.place(all...)
	for _, q := range all {
		d.watch(q.end)
	}
	d.open()
}

// place has calls in the queue whose deadlines no timer tells of. The dispatcher's mutex is held.
func (r *rig) place(all ...*queued) {
	d := r.node.calls
	d.queue = append(d.queue, all...)
	d.traffic.queued.Add(int64(len(all)))
}

func (r *rig) take(ctx context.Context) error {
	_, err := r.Counters().Take(ctx, takeOf(limited("p", 1000, time.Hour)))
	return err
}

// batches returns how many batches went out, and how many calls in them.
func batches(t *testing.T, h prometheus.Histogram) (count, calls int) {
	t.Helper()
	registry := prometheus.NewRegistry()
	registry.MustRegister(h)
	families, err := registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	got := families[0].GetMetric()[0].GetHistogram()
	return int(got.GetSampleCount()), int(got.GetSampleSum())
}

func wantNone(t *testing.T, errs []error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Errorf("got %v", err)
		}
	}
}

// newQueued returns the call of cmd, in memory that nothing has used.
func newQueued(ctx context.Context, cmd redis.Cmder) *queued {
	q := &queued{done: make(chan struct{}, 1)}
	q.begin(ctx, cmd)
	return q
}
