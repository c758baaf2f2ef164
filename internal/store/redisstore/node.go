package redisstore

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// node is one server: how it is spoken to, and what is known of its clock. Safe for concurrent use.
type node struct {
	address string
	redis   *redis.Client
	clock   *serverClock
	calls   *dispatcher
	spare   sync.Pool // of redis.Pipeliner that nobody uses
}

func newNode(r *redis.Client, b bounds, t *traffic) *node {
	n := &node{address: r.Options().Addr, redis: r, clock: newServerClock()}
	n.spare.New = func() any { return r.Pipeline() }
	n.calls = newDispatcher(b, n.send, n.clock.local, t)
	return n
}

// do sends cmd and waits for its answer, until ctx ends. It sends nothing twice. After an error cmd and its arguments
// may still be in use, and must be left alone.
func (n *node) do(ctx context.Context, cmd redis.Cmder) (trip, error) { return n.calls.do(ctx, cmd) }

// send sends a batch on one connection. Each command has its own answer or error then.
func (n *node) send(ctx context.Context, batch []redis.Cmder) {
	pipeline := n.spare.Get().(redis.Pipeliner)
	_ = pipeline.BatchProcess(ctx, batch...) // it only queues
	_, _ = pipeline.Exec(ctx)                // the first error of the commands; whatever it is, nothing is left in there
	n.spare.Put(pipeline)
}

// ask is do for a key that is on its way to this server, which takes it only from those who say that they know
// (ASKING), on the same connection.
func (n *node) ask(ctx context.Context, cmd redis.Cmder) (trip, error) {
	ctx, cancel := timed(ctx)
	defer cancel()
	t := trip{sent: n.clock.local()}
	_, err := n.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.Do(ctx, "asking")
		return p.Process(ctx, cmd)
	})
	t.received = n.clock.local()
	return t, err
}

// ping is readClock for a server that the breaker watches.
func (n *node) ping(ctx context.Context) error {
	deadline, _ := ctx.Deadline()
	judge, err := n.calls.breaker.begin(time.Until(deadline))
	if err != nil {
		return err
	}
	err = n.readClock(ctx)
	judge(err)
	return err
}

// readClock asks the server for nothing but its clock.
func (n *node) readClock(ctx context.Context) error {
	sent := n.clock.local()
	now, err := n.redis.Time(ctx).Result()
	if err == nil {
		n.clock.learn(sent, n.clock.local(), now.UnixMilli())
	}
	return err
}

// subscribe opens a connection of its own for what is published on channel. The caller closes it.
func (n *node) subscribe(ctx context.Context, channel string) *redis.PubSub {
	return n.redis.Subscribe(ctx, channel)
}

// close ends what is under way, and waits for it.
func (n *node) close() error {
	n.calls.close()
	err := n.redis.Close()
	n.calls.wait()
	return err
}
