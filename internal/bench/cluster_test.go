package bench

import (
	"testing"

	"smsd/internal/testserver"
)

// clusterPrimaries is how many of a [testserver.ClusterServers] take writes.
const clusterPrimaries = 3

// clusterRows are some rows on a Redis Cluster, where the phone, the address and the code of one request lie on different servers as
// a rule. What is counted is what the primaries use, the feeding of their replicas included; the replicas themselves are not.
func clusterRows(t testing.TB, settings ...string) []*row {
	t.Helper()
	on := onCluster(t, testserver.RedisCluster(t), "cluster", append(settings, unrecorded)...)
	warm(on)
	const store = "store=cluster/policy=seven/"
	return []*row{
		{name: store + "send" + withoutRecords, on: on, requests: on.sends},
		{name: store + "refused=cooldown" + withoutRecords, on: on, requests: on.again},
		{name: store + "verify" + withoutRecords, on: on, requests: on.verifies},
	}
}

// onCluster starts an instance on a cluster.
func onCluster(t testing.TB, c *testserver.ClusterServers, prefix string, settings ...string) *service {
	t.Helper()
	s := inOne(t, append(production(c.URL(), prefix), settings...)...)
	for _, primary := range c.Nodes()[:clusterPrimaries] {
		s.redis = append(s.redis, watch(t, primary.URL()))
	}
	s.recorded = false
	return s
}
