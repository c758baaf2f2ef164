// Package redisstore keeps counters and codes in Redis or Valkey.
package redisstore

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/secret"
	"smsd/internal/sms"
	"smsd/internal/throttle"
)

// Options are what [Open] needs.
type Options struct {
	// URL is redis://, rediss:// or unix://, with user and password.
	URL secret.Text
	// Prefix starts every key; "": "smsd".
	Prefix string
	// PoolSize is connections; 0: 10 per core.
	PoolSize int
	// Budget bounds each call whose ctx has no nearer deadline, and every socket operation; 0: 400 ms.
	Budget time.Duration
	// IndexCheck is a keyed hash of the index secret; [Open] fails if the server holds another one.
	IndexCheck []byte
	// Registerer takes the metrics; nil: none.
	Registerer prometheus.Registerer
	// Now replaces the server's clock in tests; nil: Redis TIME.
	Now func() time.Time
}

// Client is a connection pool to one server.
type Client struct{}

// Open connects, reads the server's clock, and checks that the scripts' commands are permitted and that
// the index secret is the one that the server's counters were made with. A server that does not
// answer is an error that unwraps to [throttle.ErrUnavailable].
func Open(ctx context.Context, o Options) (*Client, error) { panic("unbuilt") }

// Ping returns nil if the server answers.
func (c *Client) Ping(ctx context.Context) error { panic("unbuilt") }

// Close closes the pool.
func (c *Client) Close() error { panic("unbuilt") }

// Counters returns the [throttle.Store] on c.
func (c *Client) Counters() throttle.Store { panic("unbuilt") }

// Codes returns the [sms.Codes] on c.
func (c *Client) Codes() sms.Codes { panic("unbuilt") }
