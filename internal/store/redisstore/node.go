package redisstore

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// node is one server: how it is spoken to, and what is known of its clock. Safe for concurrent use.
type node struct {
	redis *redis.Client
	clock *serverClock
}

func newNode(r *redis.Client) *node { return &node{redis: r, clock: newServerClock()} }

// do sends cmd and waits for its answer, until ctx ends. It sends nothing twice.
func (n *node) do(ctx context.Context, cmd redis.Cmder) error { return n.redis.Process(ctx, cmd) }

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
