package redisstore

import (
	"context"
	"errors"
	"time"

	"smsd/internal/throttle"
)

const (
	// indexTTL is how long the check value outlives the last instance: as long as throttle.MaxWindow.
	indexTTL = 30 * 24 * time.Hour
	// indexRefresh is far below indexTTL, so that no instance that runs lets the value expire, and short
	// enough to put it back soon on a server that has restarted empty.
	indexRefresh = time.Hour
)

// errIndex is a server that holds another check value.
var errIndex = errors.New("redis: the counters on this server were made with another index secret: " +
	"look at index_secret (SMSD_INDEX_SECRET), or at the oldest secret, from which it is derived; or use another redis.prefix")

// checkIndex compares the check value, and sets it where there is none.
func (c *Client) checkIndex(ctx context.Context) error {
	if len(c.indexCheck) == 0 {
		return nil
	}
	args := []any{c.indexCheck, indexTTL.Milliseconds()}
	r, err := c.run(ctx, call{script: &c.scripts.Index, keys: []string{c.keys.index()}, args: args})
	switch {
	case err != nil:
		return failed(throttle.ErrUnavailable, "index check", err)
	case r.status == 0:
		return errIndex
	}
	return nil
}

// keepIndex refreshes the check value until Close.
func (c *Client) keepIndex() {
	tick := time.NewTicker(indexRefresh)
	defer tick.Stop()
	for {
		select {
		case <-c.life.Done():
			return
		case <-tick.C:
			c.refreshIndex()
		}
	}
}

// refreshIndex leaves a failure to the next turn; a value that another instance has put there meanwhile
// becomes a warning.
func (c *Client) refreshIndex() {
	if err := c.checkIndex(c.life); errors.Is(err, errIndex) {
		c.warn(err.Error())
	}
}
