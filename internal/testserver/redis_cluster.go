package testserver

import (
	"crypto/rand"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// slots is how many a cluster has, as in the Redis Cluster specification.
const slots = 16384

// A node that is silent for so long, in ms, is given up: where a failover is waited for, and while a cluster begins, soon, so
// that each takes about two seconds; at any other time not even on a machine that stands still for a while, since nobody
// expects a failover then.
const (
	nodeTimeout   = 1000
	steadyTimeout = 15_000
)

// ClusterServers is a Redis Cluster of three primaries and three replicas that belongs to one test. Its nodes listen
// on the loopback address, behind a random password. Its methods fail the test on an error, and are for one goroutine.
type ClusterServers struct {
	t        testing.TB
	password string
	user     *url.Userinfo // who URL logs in as
	nodes    []*RedisServer
	ids      map[*RedisServer]string
}

// RedisCluster starts a cluster, each node with the options, and ends it with the test. It takes about three seconds, two of which a node waits
// before it takes writes: tests of one package share one where they can.
func RedisCluster(t testing.TB, options ...RedisOption) *ClusterServers {
	t.Helper()
	c := &ClusterServers{t: t, password: rand.Text(), ids: map[*RedisServer]string{}}
	for range 6 {
		c.start(options)
	}
	for i, primary := range c.nodes[:3] {
		primary.Do("cluster", "set-config-epoch", i+1)
		primary.Do("cluster", "addslotsrange", i*slots/3, (i+1)*slots/3-1)
	}
	for _, other := range c.nodes[1:] {
		c.meet(other)
	}
	for i, replica := range c.nodes[3:] {
		c.replicate(replica, c.nodes[i])
	}
	c.Await()
	return c
}

// Node starts one more node, which joins the cluster as a primary without slots, and takes writes two seconds later.
func (c *ClusterServers) Node(options ...RedisOption) *RedisServer {
	c.t.Helper()
	s := c.start(options)
	c.giveUpAfter(nodeTimeout) // or the others would seldom speak of it to each other
	c.meet(s)
	c.Await()
	return s
}

func (c *ClusterServers) start(options []RedisOption) *RedisServer {
	c.t.Helper()
	s := Redis(c.t, append([]RedisOption{
		Port(c.t), busPort(c.t),
		owner(c.password),
		Config("cluster-enabled yes", "cluster-config-file nodes.conf",
			fmt.Sprintf("cluster-node-timeout %d", nodeTimeout), "repl-diskless-sync-delay 0", "repl-backlog-size 1mb"),
	}, options...)...)
	if s.user == nil {
		s.user = url.UserPassword("", c.password)
	}
	c.user = s.user
	c.nodes = append(c.nodes, s)
	c.ids[s] = s.Do("cluster", "myid").(string)
	return s
}

// owner sets the password of the user who may do everything, with which replicas log in to their primary too.
func owner(password string) RedisOption {
	return func(s *redisSettings) {
		s.owner = password
		s.lines = append(s.lines, "requirepass "+password, "masterauth "+password)
	}
}

func (c *ClusterServers) meet(other *RedisServer) {
	c.t.Helper()
	c.nodes[0].Do("cluster", "meet", loopback, other.port, other.bus)
}

func (c *ClusterServers) replicate(replica, primary *RedisServer) {
	c.t.Helper()
	replica.await("its primary", func() bool {
		_, err := replica.Ask("cluster", "replicate", c.ids[primary])
		return err == nil
	})
}

// Await waits until every node that runs finds the cluster whole, and every replica has caught up once.
func (c *ClusterServers) Await() {
	c.t.Helper()
	for _, s := range c.running() {
		s.await("a whole cluster", func() bool { return c.settled(s) })
	}
	c.giveUpAfter(steadyTimeout)
}

// giveUpAfter sets how long a node must be silent.
func (c *ClusterServers) giveUpAfter(ms int) {
	c.t.Helper()
	for _, s := range c.running() {
		s.Do("config", "set", "cluster-node-timeout", ms)
	}
}

// running are the nodes that run.
func (c *ClusterServers) running() []*RedisServer {
	return slices.DeleteFunc(c.Nodes(), func(s *RedisServer) bool { return s.process.ended() })
}

func (c *ClusterServers) settled(s *RedisServer) bool {
	info := s.text("cluster", "info")
	if !strings.Contains(info, "cluster_state:ok") || !strings.Contains(info, fmt.Sprintf("cluster_slots_ok:%d", slots)) ||
		!strings.Contains(info, fmt.Sprintf("cluster_known_nodes:%d\r", len(c.nodes))) {
		return false
	}
	replication := s.text("info", "replication")
	return strings.Contains(replication, "role:master") || strings.Contains(replication, "master_link_status:up")
}

// URL returns redis+cluster://[user]:password@host:port,host:port,... with every node.
func (c *ClusterServers) URL() string {
	var hosts []string
	for _, s := range c.nodes {
		hosts = append(hosts, s.Address())
	}
	scheme := "redis+cluster"
	if c.nodes[0].tls {
		scheme = "rediss+cluster"
	}
	return scheme + "://" + c.user.String() + "@" + strings.Join(hosts, ",")
}

// Nodes returns every node, dead or alive.
func (c *ClusterServers) Nodes() []*RedisServer { return slices.Clone(c.nodes) }

// Slot returns the slot of a key.
func (c *ClusterServers) Slot(key string) int {
	c.t.Helper()
	return int(c.alive().Do("cluster", "keyslot", key).(int64))
}

func (c *ClusterServers) alive() *RedisServer { return c.running()[0] }

// Holder returns the primary that serves a slot, as the first node that runs sees it.
func (c *ClusterServers) Holder(slot int) *RedisServer {
	c.t.Helper()
	if s := c.holder(c.alive(), slot); s != nil {
		return s
	}
	c.t.Fatalf("nobody serves slot %d", slot)
	return nil
}

// holder returns the primary of a slot as seen sees it, or nil.
func (c *ClusterServers) holder(seen *RedisServer, slot int) *RedisServer {
	c.t.Helper()
	for _, entry := range seen.Do("cluster", "slots").([]any) {
		row := entry.([]any)
		if first, last := row[0].(int64), row[1].(int64); int64(slot) >= first && int64(slot) <= last {
			return c.byID(row[2].([]any)[2].(string))
		}
	}
	return nil
}

func (c *ClusterServers) byID(id string) *RedisServer {
	c.t.Helper()
	for _, s := range c.nodes {
		if c.ids[s] == id {
			return s
		}
	}
	c.t.Fatalf("no node %s", id)
	return nil
}

// KillPrimary kills the primary of a slot. Its replica takes over when the others have given it up: see
// [ClusterServers.AwaitFailover].
func (c *ClusterServers) KillPrimary(slot int) *RedisServer {
	c.t.Helper()
	dead := c.Holder(slot)
	c.giveUpAfter(nodeTimeout)
	dead.Kill()
	return dead
}

// AwaitFailover waits until another node than dead serves the slot, and everybody that runs says so.
func (c *ClusterServers) AwaitFailover(slot int, dead *RedisServer) {
	c.t.Helper()
	for _, s := range c.running() {
		s.await("a failover", func() bool { now := c.holder(s, slot); return now != nil && now != dead })
	}
	c.Await()
}
