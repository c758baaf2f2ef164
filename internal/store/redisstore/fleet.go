package redisstore

import (
	"net"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"
)

// fleet is every server that is known, by its address. Safe for concurrent use.
type fleet struct {
	make    func(address string) *node
	traffic *traffic

	mu    sync.Mutex
	nodes map[string]*member
	gone  uint32 // how often callers got no connection in time, of those that have left
}

type member struct {
	node *node
	seen time.Time // when it was last asked for
}

func newFleet(make func(address string, t *traffic) *node) *fleet {
	f := &fleet{traffic: newTraffic(), nodes: map[string]*member{}}
	f.make = func(address string) *node { return make(address, f.traffic) }
	return f
}

// node returns the server at an address, the same one for each call.
func (f *fleet) node(address string) *node {
	f.mu.Lock()
	defer f.mu.Unlock()
	m := f.nodes[address]
	if m == nil {
		m = &member{node: f.make(address)}
		f.nodes[address] = m
	}
	m.seen = time.Now()
	return m.node
}

// rest is for how long a server that nobody has asked for is kept: calls to it are long over.
const rest = time.Minute

// retire drops the servers that nobody has asked for.
func (f *fleet) retire() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for address, m := range f.nodes {
		if time.Since(m.seen) > rest {
			f.gone += m.node.redis.PoolStats().Timeouts
			_ = m.node.close()
			delete(f.nodes, address)
		}
	}
}

// poolStats adds up what concerns the metrics.
func (f *fleet) poolStats() *redis.PoolStats {
	f.mu.Lock()
	defer f.mu.Unlock()
	sum := &redis.PoolStats{Timeouts: f.gone}
	for _, m := range f.nodes {
		s := m.node.redis.PoolStats()
		sum.TotalConns += s.TotalConns
		sum.IdleConns += s.IdleConns
		sum.Timeouts += s.Timeouts
	}
	return sum
}

func (f *fleet) close() (err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, m := range f.nodes {
		if e := m.node.close(); err == nil {
			err = e
		}
	}
	return err
}

// absolute completes an address that a server gave: without a host it means the server's own.
func absolute(address string, from *node) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil || host != "" && host != "?" {
		return address
	}
	own, _, err := net.SplitHostPort(from.address)
	if err != nil {
		return address
	}
	return net.JoinHostPort(own, port)
}
