package redisstore

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// node is one server: how it is spoken to, and what is known of its clock. Safe for concurrent use.
type node struct {
	address string
	redis   *redis.Client
	clock   *serverClock
}

func newNode(r *redis.Client) *node {
	return &node{address: r.Options().Addr, redis: r, clock: newServerClock()}
}

// do sends cmd and waits for its answer, until ctx ends. It sends nothing twice.
func (n *node) do(ctx context.Context, cmd redis.Cmder) error { return n.redis.Process(ctx, cmd) }

// ask is do for a key that is on its way to this server, which takes it only from those who say that they know
// (ASKING), on the same connection.
func (n *node) ask(ctx context.Context, cmd redis.Cmder) error {
	_, err := n.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.Do(ctx, "asking")
		return p.Process(ctx, cmd)
	})
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

func (n *node) close() error { return n.redis.Close() }
