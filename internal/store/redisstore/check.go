package redisstore

import (
	"context"
	"fmt"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/throttle"
)

// check finds out what the first request would find out otherwise: whether every server that holds keys answers,
// and permits every command of the scripts.
func (c *Client) check(ctx context.Context) error {
	l := c.servers.layout()
	if n := l.uncovered(); n > 0 {
		return failed(throttle.ErrUnavailable, "cluster", fmt.Errorf("%d of %d slots are served by nobody", n, slotCount))
	}
	return c.everyPrimary(func(n *node) error { return c.checkNode(ctx, l, n) })
}

func (c *Client) checkNode(ctx context.Context, l *layout, n *node) error {
	if err := n.readClock(ctx); err != nil {
		return c.startFault("TIME", err)
	}
	return c.checkCommands(ctx, l, n)
}

// checkCommands tries every command that the calls need.
func (c *Client) checkCommands(ctx context.Context, l *layout, n *node) error {
	if l.spread() {
		if err := n.redis.Do(ctx, "asking").Err(); err != nil {
			return c.startFault("ASKING", err)
		}
	}
	return c.checkScripts(ctx, l, n)
}

// probed are the commands that probe.lua tries, in its order.
var probed = [...]string{"MGET", "SET", "DEL"}

// probeKeys are keys on n to try commands on: two of different slots where there should be none, since a server of a
// cluster refuses that, whatever else it permits.
func (c *Client) probeKeys(l *layout, n *node) []string {
	if !l.spread() {
		return []string{c.keys.probe(), c.keys.probe() + ":2"}
	}
	key, _ := l.keyOn(n, c.keys.probe()+":")
	return []string{key}
}

func (c *Client) checkScripts(ctx context.Context, l *layout, n *node) error {
	way := route{node: n}
	args := (&request{}).fill(call{keys: c.probeKeys(l, n)}, "eval", c.scripts.Probe.Text, 0, n.clock.notAfter(ctx, time.Now()))
	answers, err := redisStrings(ctx, way, args)
	if err != nil {
		return c.startFault("EVAL", err)
	}
	if len(answers) != len(probed) {
		return c.startFault("EVAL", errReply)
	}
	for i, answer := range answers {
		if answer != "" {
			return c.startFault(probed[i], redisError(answer))
		}
	}
	args[0], args[1] = "evalsha", c.scripts.Probe.SHA
	if _, err := redisStrings(ctx, way, args); err != nil {
		return c.startFault("EVALSHA", err)
	}
	return nil
}

func redisStrings(ctx context.Context, way route, args []any) ([]string, error) {
	cmd := redis.NewStringSliceCmd(ctx, args...)
	if _, err := way.do(ctx, cmd); err != nil {
		return nil, err
	}
	return cmd.Val(), nil
}
