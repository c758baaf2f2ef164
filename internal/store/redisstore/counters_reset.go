package redisstore

import (
	"context"

	"smsd/internal/throttle"
)

// scanCount is how many keys one SCAN looks at: a compromise of trips and of how long the server does nothing else.
const scanCount = 1000

// Reset implements [throttle.Store]. It looks at every key of the server, for which large ones need more time than
// the budget: it is meant for development.
func (c counters) Reset(ctx context.Context, tags ...throttle.Tag) error {
	ctx, cancel := context.WithTimeout(ctx, c.budget)
	defer cancel()
	for _, tag := range tags {
		if err := c.resetTag(ctx, tag); err != nil {
			return err
		}
	}
	return nil
}

func (c counters) resetTag(ctx context.Context, tag throttle.Tag) error {
	for cursor := uint64(0); ; {
		keys, next, err := c.single.redis.Scan(ctx, cursor, c.keys.tagPattern(tag), scanCount).Result()
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
	if _, err := c.run(ctx, call{script: c.scripts.Reset, keys: keys}); err != nil {
		return failed(throttle.ErrUnavailable, "reset", err)
	}
	return nil
}
