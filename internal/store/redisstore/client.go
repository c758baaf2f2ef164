package redisstore

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9/logging"

	"smsd/internal/throttle"
	"smsd/lua"
)

// Client is a connection pool to each server. Safe for concurrent use.
type Client struct {
	servers    *topology
	scripts    lua.Scripts
	keys       keyspace
	metrics    *metrics
	requests   requests
	budget     time.Duration
	now        func() time.Time // nil: the server's
	indexCheck []byte

	life context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup

	mu       sync.Mutex
	warnings []string
	closed   bool
}

// Open connects, reads the server's clock, and checks that the scripts' commands are permitted and that
// the index secret is the one that the server's counters were made with. A server that does not
// answer is an error that unwraps to [throttle.ErrUnavailable].
func Open(ctx context.Context, o Options) (*Client, error) {
	c, err := newClient(o)
	if err != nil {
		return nil, err
	}
	if err := c.open(ctx, o.Registerer); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// newClient touches nothing outside.
func newClient(o Options) (*Client, error) {
	// go-redis would write a line to stderr for every connection that fails. The calls' errors say it too.
	logging.Disable()
	o = o.withDefaults()
	servers, err := newServers(o)
	if err != nil {
		return nil, err
	}
	c := &Client{
		servers: servers, scripts: lua.Load(), keys: newKeyspace(o.Prefix),
		metrics: &metrics{}, budget: o.Budget, now: o.Now, indexCheck: o.IndexCheck,
	}
	c.life, c.end = context.WithCancel(context.Background())
	return c, nil
}

// open is Open's part that touches the outside.
func (c *Client) open(ctx context.Context, r prometheus.Registerer) error {
	bounded, cancel := context.WithTimeout(ctx, c.budget)
	defer cancel()
	if err := c.servers.open(bounded); err != nil {
		return c.startFault(c.servers.kind.lookedUp(), err)
	}
	if err := c.check(bounded); err != nil {
		return err
	}
	if err := c.checkIndex(ctx); err != nil {
		return err
	}
	c.lookAtEviction(bounded)
	m, err := newMetrics(r, c.servers)
	if err != nil {
		return err
	}
	c.metrics = m
	if len(c.indexCheck) > 0 {
		c.work.Go(c.keepIndex)
	}
	return nil
}

// Ping returns nil if every server that holds keys answers. It is a call like any other: while calls are stopped
// since a server does not answer, it fails too, and where one call may try whether the server is back, that
// may be this one. So a server is found again though nobody else calls.
func (c *Client) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.budget)
	defer cancel()
	if err := c.everyPrimary(func(n *node) error { return n.ping(ctx) }); err != nil {
		c.servers.suspect()
		return failed(throttle.ErrUnavailable, "ping", err)
	}
	return nil
}

// everyPrimary calls do for every server that holds keys, all at once, and returns the first error.
func (c *Client) everyPrimary(do func(*node) error) error {
	primaries := c.servers.layout().primaries
	if len(primaries) == 1 {
		return do(primaries[0])
	}
	errs := make([]error, len(primaries))
	var work sync.WaitGroup
	for i, n := range primaries {
		work.Go(func() {
			if err := do(n); err != nil {
				errs[i] = fmt.Errorf("%s: %w", n.address, err)
			}
		})
	}
	work.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// background runs do, which Close waits for; false: it is closed, and do does not run.
func (c *Client) background(do func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.work.Go(do)
	}
	return !c.closed
}

// Close closes the pools; calls under way fail.
func (c *Client) Close() error {
	c.mu.Lock()
	c.closed = true
	c.mu.Unlock()
	c.end()
	c.work.Wait()
	c.metrics.unregister()
	return c.servers.close()
}
