package redisstore

import (
	"context"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/logging"
	"github.com/redis/go-redis/v9/maintnotifications"

	"smsd/internal/throttle"
	"smsd/lua"
)

// Client is a connection pool to one server. Safe for concurrent use.
type Client struct {
	single     *node
	scripts    lua.Scripts
	keys       keyspace
	metrics    *metrics
	budget     time.Duration
	now        func() time.Time // nil: the server's
	indexCheck []byte

	life context.Context // ends with Close
	end  context.CancelFunc
	work sync.WaitGroup

	mu       sync.Mutex
	warnings []string
}

// Open connects, reads the server's clock, and checks that the scripts' commands are permitted and that
// the index secret is the one that the server's counters were made with. A server that does not
// answer is an error that unwraps to [throttle.ErrUnavailable].
func Open(ctx context.Context, o Options) (*Client, error) {
	// go-redis would write a line to stderr for every connection that fails. The calls' errors say it too.
	logging.Disable()
	o = o.withDefaults()
	settings, err := settings(o)
	if err != nil {
		return nil, err
	}
	c := &Client{
		single: newNode(redis.NewClient(settings)), scripts: lua.Load(), keys: newKeyspace(o.Prefix),
		metrics: &metrics{}, budget: o.Budget, now: o.Now, indexCheck: o.IndexCheck,
	}
	c.life, c.end = context.WithCancel(context.Background())
	if err := c.open(ctx, o); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// open is Open's part that touches the outside.
func (c *Client) open(ctx context.Context, o Options) error {
	bounded, cancel := context.WithTimeout(ctx, c.budget)
	defer cancel()
	if err := c.check(bounded); err != nil {
		return err
	}
	if err := c.checkIndex(ctx); err != nil {
		return err
	}
	c.lookAtEviction(bounded)
	m, err := newMetrics(o.Registerer, c.single.redis.PoolStats)
	if err != nil {
		return err
	}
	c.metrics = m
	if len(c.indexCheck) > 0 {
		c.work.Go(c.keepIndex)
	}
	return nil
}

// settings returns how go-redis is set: no retries of its own (it repeats calls whose reply was lost), deadlines
// heeded (by default it ignores those of a context), and every wait bounded by the budget.
func settings(o Options) (*redis.Options, error) {
	s, err := parseURL(o.URL.Reveal())
	if err != nil {
		return nil, err
	}
	s.MaxRetries = -1
	s.ContextTimeoutEnabled = true
	s.DialTimeout, s.ReadTimeout, s.WriteTimeout, s.PoolTimeout = o.Budget, o.Budget, o.Budget, o.Budget
	s.DialerRetries = 1
	s.PoolSize = o.PoolSize
	s.PipelinePoolSize = -1 // no pipelines, so no pool for them
	s.Protocol = 2          // integers and strings are the same in 3, which adds pushes that nobody reads
	s.ReadBufferSize, s.WriteBufferSize = socketBuffer, socketBuffer
	s.ClientName = "smsd"
	s.DisableIdentity = true
	s.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return s, nil
}

// socketBuffer holds a call of a dozen rules, and its answer, whole.
const socketBuffer = 4096

// Ping returns nil if the server answers.
func (c *Client) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, c.budget)
	defer cancel()
	if err := c.single.readClock(ctx); err != nil {
		return failed(throttle.ErrUnavailable, "ping", err)
	}
	return nil
}

// Close closes the pool; calls under way fail.
func (c *Client) Close() error {
	c.end()
	c.work.Wait()
	c.metrics.unregister()
	return c.single.close()
}
