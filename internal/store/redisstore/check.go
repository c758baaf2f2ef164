package redisstore

import (
	"context"
	"fmt"
	"strings"

	"github.com/redis/go-redis/v9"

	"smsd/internal/throttle"
)

// check reads the server's clock and finds out what would otherwise be found out by the first request: whether the server
// answers, and whether every command of the scripts is permitted.
func (c *Client) check(ctx context.Context) error {
	if err := c.readClock(ctx); err != nil {
		return startFault("TIME", err)
	}
	return c.checkScripts(ctx)
}

// readClock asks the server for nothing but its clock.
func (c *Client) readClock(ctx context.Context) error {
	sent := c.clock.local()
	now, err := c.redis.Time(ctx).Result()
	if err == nil {
		c.clock.learn(sent, c.clock.local(), now.UnixMilli())
	}
	return err
}

// probed are the commands that probe.lua tries, in its order.
var probed = [...]string{"MGET", "SET", "DEL"}

func (c *Client) checkScripts(ctx context.Context) error {
	args := c.arguments(ctx, call{keys: []string{c.keys.probe()}}, 0, "eval", c.scripts.Probe.Text)
	answers, err := redisStrings(ctx, c.redis, args)
	if err != nil {
		return startFault("EVAL", err)
	}
	if len(answers) != len(probed) {
		return startFault("EVAL", errReply)
	}
	for i, answer := range answers {
		if answer != "" {
			return startFault(probed[i], redisError(answer))
		}
	}
	args[0], args[1] = "evalsha", c.scripts.Probe.SHA
	if _, err := redisStrings(ctx, c.redis, args); err != nil {
		return startFault("EVALSHA", err)
	}
	return nil
}

func redisStrings(ctx context.Context, client *redis.Client, args []any) ([]string, error) {
	cmd := redis.NewStringSliceCmd(ctx, args...)
	_ = client.Process(ctx, cmd) // the error is cmd's
	return cmd.Result()
}

// redisError is an error that the server gave inside a script.
type redisError string

func (e redisError) Error() string { return string(e) }

// startFault says what is missing where the server forbids something, and otherwise that it is out of reach.
func startFault(command string, err error) error {
	if forbidden(err) {
		return fmt.Errorf("redis: the user lacks the permission for %s on the keys of the prefix (ACL): %w", command, err)
	}
	return failed(throttle.ErrUnavailable, strings.ToLower(command), err)
}

// forbidden recognises the refusals of Redis 6, 7 and Valkey, outside and inside of scripts.
func forbidden(err error) bool {
	text := err.Error()
	for _, sign := range []string{"NOPERM", "WRONGPASS", "NOAUTH", "can't run this command", "can't access at least one of the keys", "No permissions"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}
