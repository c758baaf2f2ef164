package redisstore

import (
	"context"
	"errors"
	"fmt"

	"smsd/internal/throttle"
)

// scanCount is how many keys one SCAN looks at: a compromise of trips and of how long the server does nothing else.
const scanCount = 1000

// Reset implements [throttle.Store], and tells every process of it, also where not every key could be removed. It looks
// at every key of every server, for which large ones need more time than the budget: it is meant for development, and for a
// number that is erased.
func (c counters) Reset(ctx context.Context, tags ...throttle.Tag) error {
	bounded, cancel := context.WithTimeout(ctx, c.budget)
	defer cancel()
	return errors.Join(c.removeTags(bounded, tags), c.announce(context.WithoutCancel(ctx), tags))
}

func (c counters) removeTags(ctx context.Context, tags []throttle.Tag) error {
	if err := c.servers.refresh(ctx); err != nil {
		return failed(throttle.ErrUnavailable, "reset", err)
	}
	for _, tag := range tags {
		if err := c.resetTag(ctx, tag); err != nil {
			return err
		}
	}
	return nil
}

// resetTag looks at every server that holds keys: while a slot moves, they may be on two.
func (c counters) resetTag(ctx context.Context, tag throttle.Tag) error {
	return c.everyPrimary(func(n *node) error { return c.resetTagOn(ctx, n, tag) })
}

func (c counters) resetTagOn(ctx context.Context, n *node, tag throttle.Tag) error {
	for cursor := uint64(0); ; {
		keys, next, err := n.redis.Scan(ctx, cursor, c.keys.tagPattern(tag), scanCount).Result()
		if err != nil && mentions(err, "NOPERM") {
			err = fmt.Errorf("counters are found with SCAN, which no send needs: permit it to this user (+scan): %w", err)
		}
		if err != nil {
			return failed(throttle.ErrUnavailable, "reset", err)
		}
		if err := c.remove(ctx, keys); err != nil {
			return err
		}
		if cursor = next; cursor == 0 {
			return nil
		}
	}
}

func (c counters) remove(ctx context.Context, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	_, err := c.run(ctx, call{script: &c.scripts.Reset, keys: keys})
	if onTwoServers(err) && len(keys) > 1 {
		return errors.Join(c.remove(ctx, keys[:1]), c.remove(ctx, keys[1:]))
	}
	if err != nil {
		return failed(throttle.ErrUnavailable, "reset", err)
	}
	return nil
}
