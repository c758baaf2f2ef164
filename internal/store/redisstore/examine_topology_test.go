package redisstore

import (
	"fmt"
	"strings"
	"testing"

	"smsd/internal/testserver"
)

// examinedCluster: each primary of a cluster is examined, what is found names it, and what they hold is added up.
func examinedCluster(t *testing.T, s *testserver.ClusterServers) {
	for _, n := range s.Nodes() {
		n.Do("config", "set", "appendonly", "yes")
	}
	all := examine(t, s.URL())
	wantFindings(t, all, nil)
	for check, text := range map[string]string{
		"reach": "it answers", "role": "a primary, 1 replica", "cluster": "16384 slots on 3 primaries", "permissions": "smsd may run",
	} {
		if c := all[check]; c.State != OK || !strings.Contains(c.Seen, text) {
			t.Errorf("%+v, want %q", c, text)
		}
	}
	var keys []string
	for i, n := range []*testserver.RedisServer{s.Holder(0), s.Holder(16383)} {
		for j := 0; len(keys) < 2*(i+1); j++ {
			if key := fmt.Sprintf("smsd:1:immortal%d", j); s.Holder(slotOf(key)) == n {
				n.Do("set", key, "")
				keys = append(keys, key)
			}
		}
	}
	n := s.Holder(0)
	n.Do("config", "set", "maxmemory-policy", "allkeys-lru")
	all = examine(t, s.URL())
	wantFindings(t, all, map[string]string{"eviction": n.Address() + ": maxmemory-policy is allkeys-lru", "keys": "4 of"})
	if c := all["keys"]; !strings.Contains(c.Seen, n.Address()) || strings.Count(c.Seen, "127.0.0.1") != 2 {
		t.Errorf("%+v does not name the servers with immortal keys", c)
	}
	n.Do("config", "set", "maxmemory-policy", "noeviction")
	for _, key := range keys {
		s.Holder(slotOf(key)).Do("del", key)
	}
}

// examinedWithoutAReplica: a primary that took the place of a dead one has no replica.
func examinedWithoutAReplica(t *testing.T, s *testserver.ClusterServers) {
	dead := s.KillPrimary(0)
	s.AwaitFailover(0, dead)
	eventually(t, "a primary without a replica", func() bool {
		return strings.Contains(s.Holder(0).Do("info", "replication").(string), "connected_slaves:0")
	})
	wantFindings(t, examine(t, s.URL()), map[string]string{"role": s.Holder(0).Address() + ": a primary without a replica"})
	dead.Restart()
	s.Await()
}

func TestExaminedSentinels(t *testing.T) {
	t.Parallel()
	s := testserver.RedisSentinel(t, testserver.Config("appendonly yes"))
	wantFindings(t, examine(t, s.URL()), nil)
	s.Sentinels()[2].Kill()
	wantFindings(t, examine(t, s.URL()), map[string]string{"sentinels": "2 of 3 of the URL know " + s.Primary().Address()})
}

func TestExaminedSentinelsThatDoNotKnow(t *testing.T) {
	t.Parallel()
	s := testserver.RedisSentinel(t)
	wantFindings(t, examine(t, strings.Replace(s.URL(), "/main", "/hunter2", 1)), map[string]string{"reach": "no primary of the name"})
}
