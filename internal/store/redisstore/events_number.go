package redisstore

import (
	"context"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
)

// resetsEvery is how often the number of the latest reset is read: with what a read may take (400 ms as a rule),
// a reset is heard of within a second though no message came.
const resetsEvery = 500 * time.Millisecond

// followNumber reads the number until Close. A server that does not answer has none to tell, and is asked again.
func (c *Client) followNumber(e *events) {
	tick := time.NewTicker(resetsEvery)
	defer tick.Stop()
	for {
		if number, err := c.readNumber(); err == nil {
			e.read(number)
		}
		select {
		case <-c.life.Done():
			return
		case <-tick.C:
		}
	}
}

// readNumber reads the number of the latest reset; 0 where there is none. It goes the way of a script's call,
// but on a connection that no request waits for.
func (c *Client) readNumber() (int64, error) {
	ctx, cancel := context.WithTimeout(c.life, c.budget)
	defer cancel()
	key := c.keys.resets()
	n, err := c.servers.holder(ctx, key)
	for way, tries := (route{node: n}), 0; err == nil; tries++ {
		cmd := redis.NewSliceCmd(ctx, "mget", key)
		if err = way.apart(ctx, cmd); err == nil {
			text, _ := cmd.Val()[0].(string) // else there is none
			number, _ := strconv.ParseInt(text, 10, 64)
			return number, nil
		}
		way, err = c.servers.reroute(ctx, way, key, tries, err)
	}
	return 0, err
}
