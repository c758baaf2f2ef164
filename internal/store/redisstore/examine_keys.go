package redisstore

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/redis/go-redis/v9"
)

// examineCount is how many places of its table the server looks at in one call: it is busy with them for
// less than a millisecond.
const examineCount = 1000

// keyCount is what was seen of the keys. A key that moves while it is counted, because the server enlarges
// its table, may count twice.
type keyCount struct {
	keys, immortal int
	early          string   // why it ended early; "": it did not
	places         []string // where immortal ones are, of several servers
}

// immortal looks for keys that never expire. Every key of smsd has a time to live from its first instant on.
func (e *examiner) immortal(ctx context.Context) Checked {
	var t keyCount
	if err := e.count(ctx, &t); err != nil {
		return e.failure("SCAN or PTTL", "permit them to this user for this examination (+scan +pttl)", err)
	}
	e.counted = &t
	return t.judged()
}

// judged says what was counted.
func (t *keyCount) judged() Checked {
	keys := plural(strconv.Itoa(t.keys), "key")
	c := fine("%s under the prefix, none without a time to live%s", keys, t.early)
	if t.immortal > 0 {
		c = finding("find who wrote them, or took their time to live away (PERSIST), and delete them",
			"%d of %s under the prefix without a time to live%s", t.immortal, keys, t.early)
	}
	if len(t.places) > 0 {
		c.Seen += " (on " + strings.Join(t.places, ", ") + ")"
	}
	c.Check = "keys"
	return c
}

// count goes through the keys until there are no more, or it has been enough.
func (e *examiner) count(ctx context.Context, t *keyCount) error {
	end := time.Now().Add(e.limits.scan)
	for cursor := uint64(0); ; {
		keys, next, err := e.node.redis.Scan(ctx, cursor, e.prefixPattern(), examineCount).Result()
		if err != nil {
			return err
		}
		if err := e.countImmortal(ctx, t, keys); err != nil {
			return err
		}
		switch cursor = next; {
		case cursor == 0:
			return nil
		case t.keys >= e.limits.keys:
			t.early = fmt.Sprintf("; it stopped early, at %d keys", t.keys)
			return nil
		case !time.Now().Before(end):
			t.early = fmt.Sprintf("; it stopped early, after %s", e.limits.scan)
			return nil
		}
	}
}

// countImmortal asks for the keys' times to live in one trip.
func (e *examiner) countImmortal(ctx context.Context, t *keyCount, keys []string) error {
	if len(keys) == 0 {
		return nil
	}
	left := make([]*redis.DurationCmd, 0, len(keys))
	_, err := e.node.redis.Pipelined(ctx, func(p redis.Pipeliner) error {
		for _, key := range keys {
			left = append(left, p.PTTL(ctx, key))
		}
		return nil
	})
	t.keys += len(keys)
	for _, cmd := range left {
		if cmd.Val() == noExpiry && cmd.Err() == nil {
			t.immortal++
		}
	}
	return err
}

// noExpiry is PTTL's answer for a key that stays.
const noExpiry = time.Duration(-1)

// prefixPattern is the glob of every key under the prefix, of whatever layout.
func (e *examiner) prefixPattern() string {
	prefix := strings.TrimSuffix(string(e.keys), string(newKeyspace("")))
	return globEscape.Replace(prefix) + ":*"
}
