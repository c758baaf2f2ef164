package redisstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"smsd/internal/throttle"
)

// check reads the server's clock and finds out what the first request would find out otherwise: whether
// the server answers, and whether every command of the scripts is permitted.
func (c *Client) check(ctx context.Context) error {
	if err := c.single.readClock(ctx); err != nil {
		return c.startFault("TIME", err)
	}
	return c.checkScripts(ctx)
}

// probed are the commands that probe.lua tries, in its order.
var probed = [...]string{"MGET", "SET", "DEL"}

func (c *Client) checkScripts(ctx context.Context) error {
	args := c.arguments(ctx, c.single, call{keys: []string{c.keys.probe()}}, 0, "eval", c.scripts.Probe.Text)
	answers, err := redisStrings(ctx, c.single, args)
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
	if _, err := redisStrings(ctx, c.single, args); err != nil {
		return c.startFault("EVALSHA", err)
	}
	return nil
}

func redisStrings(ctx context.Context, n *node, args []any) ([]string, error) {
	cmd := redis.NewStringSliceCmd(ctx, args...)
	_ = n.do(ctx, cmd) // the error is cmd's
	return cmd.Result()
}

// redisError is an error that the server gave inside a script.
type redisError string

func (e redisError) Error() string { return string(e) }

// startFault says what is to be changed where the server refuses, and otherwise that it is out of reach.
func (c *Client) startFault(command string, err error) error {
	switch {
	case mentions(err, "WRONGPASS", "NOAUTH"):
		return fmt.Errorf("redis: the user or the password of the URL is refused: %w", err)
	case mentions(err, "NOPERM", "ACL failure", "The user executing the script can't"): // the last two inside of scripts
		return fmt.Errorf("redis: a permission is missing, as %s shows: %w (ACL; needed are ~%s* %s)",
			command, err, c.keys, needed)
	case mentions(err, "DB index is out of range", "invalid DB index"):
		return fmt.Errorf("redis: the database named at the end of the URL is not there: %w", err)
	}
	return failed(throttle.ErrUnavailable, strings.ToLower(command), err)
}

// needed are the commands of the calls and of a connection's start, as an ACL rule. Beside them INFO tells
// the eviction policy, and SCAN finds counters to empty in development: nothing depends on either.
const needed = "+hello +client|setname +time +evalsha +eval +mget +set +del"

func mentions(err error, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(err.Error(), sign) })
}
