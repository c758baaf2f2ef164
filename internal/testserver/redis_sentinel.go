package testserver

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// masterName is what sentinels call the primary.
const masterName = "main"

// sentinelQuorum of three must agree that the primary is gone.
const sentinelQuorum = 2

// SentinelServers is a primary, its replica and three sentinels that watch them; all belong to one test. Its methods
// fail the test on an error, and are for one goroutine.
type SentinelServers struct {
	t         testing.TB
	servers   []*RedisServer
	sentinels []*RedisServer
}

// RedisSentinel starts a primary, a replica and three sentinels, and ends them with the test. The options are for
// the two servers.
func RedisSentinel(t testing.TB, options ...RedisOption) *SentinelServers {
	t.Helper()
	s := &SentinelServers{t: t}
	for range 2 {
		s.servers = append(s.servers, Redis(t, append([]RedisOption{Port(t), Config("repl-diskless-sync-delay 0", "repl-backlog-size 1mb")}, options...)...))
	}
	primary, replica := s.servers[0], s.servers[1]
	replica.Do("replicaof", loopback, primary.port)
	replica.await("its primary", func() bool { return strings.Contains(replica.text("info", "replication"), "master_link_status:up") })
	for range 3 {
		s.sentinels = append(s.sentinels, s.watch(primary))
	}
	for _, sentinel := range s.sentinels {
		sentinel.await("the other sentinels and the replica", func() bool { return s.settled(sentinel) })
	}
	return s
}

// watch starts a sentinel. It writes into its own configuration, and says every two seconds that it is there.
func (s *SentinelServers) watch(primary *RedisServer) *RedisServer {
	s.t.Helper()
	return Redis(s.t, Port(s.t), sentinelMode(),
		Config(
			fmt.Sprintf("sentinel monitor %s %s %d %d", masterName, loopback, primary.port, sentinelQuorum),
			fmt.Sprintf("sentinel down-after-milliseconds %s %d", masterName, steadyTimeout),
			fmt.Sprintf("sentinel failover-timeout %s 10000", masterName),
		))
}

// sentinelMode makes a server a sentinel, which takes no settings of what it does not have.
func sentinelMode() RedisOption {
	return func(s *redisSettings) { s.sentinel, s.arguments = true, append(s.arguments, "--sentinel") }
}

func (s *SentinelServers) settled(sentinel *RedisServer) bool {
	answer, err := sentinel.Ask("sentinel", "master", masterName)
	if err != nil {
		return false
	}
	has := map[string]string{}
	fields, _ := answer.([]any)
	for i := 0; i+1 < len(fields); i += 2 {
		has[fmt.Sprint(fields[i])] = fmt.Sprint(fields[i+1])
	}
	return has["num-slaves"] == strconv.Itoa(len(s.servers)-1) && has["num-other-sentinels"] == strconv.Itoa(2)
}

// URL returns redis+sentinel://[user:password@]host:port,host:port,.../main with every sentinel.
func (s *SentinelServers) URL() string {
	var hosts []string
	for _, sentinel := range s.sentinels {
		hosts = append(hosts, sentinel.Address())
	}
	login := ""
	if user := s.servers[0].user; user != nil {
		login = user.String() + "@"
	}
	return "redis+sentinel://" + login + strings.Join(hosts, ",") + "/" + url.PathEscape(masterName)
}

// Sentinels returns the sentinels.
func (s *SentinelServers) Sentinels() []*RedisServer { return s.sentinels }

// Primary returns the server that the first sentinel that runs calls the primary.
func (s *SentinelServers) Primary() *RedisServer {
	s.t.Helper()
	for _, sentinel := range s.running() {
		if server := s.primaryBy(sentinel); server != nil {
			return server
		}
	}
	s.t.Fatal("no sentinel knows the primary")
	return nil
}

// primaryBy returns the server that a sentinel calls the primary, or nil.
func (s *SentinelServers) primaryBy(sentinel *RedisServer) *RedisServer {
	s.t.Helper()
	port := sentinel.Do("sentinel", "get-master-addr-by-name", masterName).([]any)[1].(string)
	for _, server := range s.servers {
		if strconv.Itoa(server.port) == port {
			return server
		}
	}
	return nil
}

// AwaitFailover has the sentinels soon give up a primary that was killed, and waits until all that run call another server than
// dead the primary.
func (s *SentinelServers) AwaitFailover(dead *RedisServer) {
	s.t.Helper()
	s.giveUpAfter(nodeTimeout)
	for _, sentinel := range s.running() {
		sentinel.await("a failover", func() bool { now := s.primaryBy(sentinel); return now != nil && now != dead })
	}
	s.giveUpAfter(steadyTimeout)
}

// giveUpAfter sets how long a primary must be silent.
func (s *SentinelServers) giveUpAfter(ms int) {
	s.t.Helper()
	for _, sentinel := range s.running() {
		sentinel.Do("sentinel", "set", masterName, "down-after-milliseconds", ms)
	}
}

// running are the sentinels that run.
func (s *SentinelServers) running() []*RedisServer {
	return slices.DeleteFunc(slices.Clone(s.sentinels), func(r *RedisServer) bool { return r.process.ended() })
}
