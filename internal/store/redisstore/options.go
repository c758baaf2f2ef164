package redisstore

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/secret"
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
	// Empty: not checked.
	IndexCheck []byte
	// Registerer takes the metrics; nil: none. Two clients of one process need a label that tells
	// them apart (prometheus.WrapRegistererWith).
	Registerer prometheus.Registerer
	// Now replaces the server's clock in tests; nil: Redis TIME.
	Now func() time.Time
}

const (
	defaultPrefix = "smsd"
	defaultBudget = 400 * time.Millisecond
	connsPerCore  = 10
)

func (o Options) withDefaults() Options {
	if o.Prefix == "" {
		o.Prefix = defaultPrefix
	}
	if o.PoolSize <= 0 {
		o.PoolSize = connsPerCore * runtime.GOMAXPROCS(0)
	}
	if o.Budget <= 0 {
		o.Budget = defaultBudget
	}
	return o
}
