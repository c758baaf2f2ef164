package redisstore

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	args := c.arguments(ctx, n, call{keys: c.probeKeys(l, n)}, 0, "eval", c.scripts.Probe.Text)
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

// redisError is an error that the server gave inside a script.
type redisError string

func (e redisError) Error() string { return string(e) }

// startFault says what is to be changed where that is certain, and otherwise that the server is out of reach.
func (c *Client) startFault(command string, err error) error {
	if advice := adviceFor(err); advice != "" {
		return fmt.Errorf("redis: %s: %w", advice, err)
	}
	if mentions(err, "NOPERM", "ACL failure", "The user executing the script can't") { // the last two inside of scripts
		return fmt.Errorf("redis: a permission is missing, as %s shows: %w (ACL; needed are ~%s* &%s* %s)",
			command, err, c.keys, c.keys, c.needed())
	}
	return failed(throttle.ErrUnavailable, strings.ToLower(command), err)
}

// adviceFor says what is wrong where waiting does not help; "": nothing of that kind.
func adviceFor(err error) string {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err)
	switch {
	case mentions(err, "WRONGPASS", "NOAUTH"):
		return "the user or the password of the URL is refused"
	case mentions(err, "DB index is out of range", "invalid DB index"):
		return "the database named at the end of the URL is not there"
	case mentions(err, "CROSSSLOT"):
		return "the server is a node of a Redis Cluster: begin the URL with redis+cluster:// (or rediss+cluster://)"
	case mentions(err, "cluster support disabled"):
		return "the server is not a node of a Redis Cluster: begin the URL with redis:// (or rediss://)"
	case mentions(err, "No such master"):
		return "the sentinels watch no primary of the name at the end of the URL"
	case mentions(err, "unknown command 'SENTINEL'", "unknown command `SENTINEL`", "unknown command 'sentinel'"):
		return "the servers of the URL are no sentinels"
	case untrusted:
		return "the server's certificate is not trusted (the file that SSL_CERT_FILE names must hold its authority's, and it must name the host of the URL)"
	}
	return ""
}

// What an ACL user needs: the commands of the calls and of a connection's start; in a cluster, those that tell where
// keys are. Beside them INFO tells the eviction policy, and SCAN finds counters to empty in development: nothing depends
// on either. Without PUBLISH and SUBSCRIBE resets are heard of up to a second later; see events.go.
const (
	needed        = "+hello +client|setname +time +evalsha +eval +mget +set +del +publish +subscribe"
	neededCluster = needed + " +cluster|slots +asking"
)

func (c *Client) needed() string {
	if c.servers.kind == cluster {
		return neededCluster
	}
	return needed
}

func mentions(err error, signs ...string) bool {
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(err.Error(), sign) })
}
