package redisstore

import (
	"runtime"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"smsd/internal/secret"
)

// Options are what [Open] needs.
type Options struct {
	// URL is redis://, rediss:// or unix://, or redis+cluster://h1:p,h2:p or redis+sentinel://h1:p,h2:p/master (or
	// rediss+), with user and password.
	URL secret.Text
	// Prefix starts every key; "": "smsd".
	Prefix string
	// PoolSize is connections to each server; 0: 10 per core.
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

// bounds returns what a server is asked to carry at once.
func (o Options) bounds() bounds {
	return bounds{
		lanes: min(maxLanes, o.PoolSize), queue: maxQueue, calls: maxBatchCalls, bytes: maxBatchBytes,
		patience: patience, budget: o.Budget,
	}
}

// Measured with 1 to 256 callers on a local socket and with a delay of 1 and 5 ms; docs/performance.md has the figures.
const (
	// maxLanes batches at once keep a server busy that is 5 ms away. More were not faster.
	maxLanes = 8
	// patience is longer than the trip of a full batch to a server nearby: a lane more in less time than that halves
	// the batches, and costs a fifth more of the client's CPU.
	patience = 2 * time.Millisecond
	// maxBatchCalls take a server about 2 ms, in which it does nothing else. Larger batches saved nothing.
	maxBatchCalls = 64
	// maxBatchBytes is a full batch of calls of a dozen rules. What is larger than that goes alone.
	maxBatchBytes = 64 << 10
	// maxQueue is what one server answers within the default budget, at 10,000 calls a second and more: those
	// behind it would wait for nothing.
	maxQueue = 4096
)
