package redisstore

import (
	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// newServers returns the servers that o's URL points at. It touches nothing outside.
func newServers(o Options) (*topology, error) {
	at, err := parseURL(o.URL.Reveal())
	if err != nil {
		return nil, err
	}
	t := newTopology(newFleet(func(address string, t *traffic) *node {
		return newNode(redis.NewClient(settings(at.server, address, o)), o.bounds(), t)
	}), o.Budget)
	t.kind, t.hidden = at.kind, []string{at.server.Password, at.password}
	switch at.kind {
	case one:
		t.found.Store(whole(t.fleet.node(at.addresses[0])))
	case cluster:
		f := &clusterFinder{t: t, seeds: at.addresses}
		t.find, t.every = f.find, clusterEvery
	case sentinel:
		f := newSentinelFinder(t, at, o)
		t.find, t.every, t.sentinels = f.find, sentinelEvery, f
	}
	return t, nil
}

// settings returns how go-redis is set for the server at an address: no retries of its own (it repeats calls whose
// reply was lost), deadlines heeded (by default it ignores those of a context), and every wait bounded by the budget.
func settings(s redis.Options, address string, o Options) *redis.Options {
	s.Addr = address
	s.MaxRetries = -1
	s.ContextTimeoutEnabled = true
	s.DialTimeout, s.ReadTimeout, s.WriteTimeout, s.PoolTimeout = o.Budget, o.Budget, o.Budget, o.Budget
	s.DialerRetries = 1
	s.PoolSize = o.PoolSize
	s.PipelinePoolSize = -1 // all calls are pipelines, so there is one pool
	s.Protocol = 2          // integers and strings are the same in 3, which adds pushes that nobody reads
	s.ReadBufferSize, s.WriteBufferSize = socketBuffer, socketBuffer
	s.ClientName = "smsd"
	s.DisableIdentity = true
	s.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return &s
}

// socketBuffer holds a batch of usual size, and its answers, whole.
const socketBuffer = 32 << 10
