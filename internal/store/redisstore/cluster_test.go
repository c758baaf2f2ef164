package redisstore

import (
	"context"
	"strconv"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// TestCluster runs on one cluster: first, all at once, what leaves it whole; then, one after the other, what moves
// slots and kills nodes.
func TestCluster(t *testing.T) {
	t.Parallel()
	c := testserver.RedisCluster(t)
	t.Run("whole", func(t *testing.T) {
		t.Run("counters", func(t *testing.T) {
			storetest.Counters(t, func(t *testing.T, clock func() time.Time) throttle.Store {
				return open(t, c.URL(), withClock(clock), ownPrefix(t)).Counters()
			})
		})
		t.Run("codes", func(t *testing.T) {
			storetest.Codes(t, func(t *testing.T, clock func() time.Time) sms.Codes {
				return open(t, c.URL(), withClock(clock), ownPrefix(t)).Codes()
			})
		})
		t.Run("errands", func(t *testing.T) {
			storetest.Errands(t, false, func(t *testing.T, clock func() time.Time) (throttle.Store, sms.Codes) {
				c := open(t, c.URL(), withClock(clock), ownPrefix(t))
				return c.CountersBesideCodes(), c.Codes()
			})
		})
		for name, test := range wholeTests {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				test(t, c)
			})
		}
	})
	for _, test := range changingTests {
		t.Run(test.name, func(t *testing.T) { test.run(t, c) })
	}
}

var wholeTests = map[string]func(*testing.T, *testserver.ClusterServers){
	"answers as memstore does": sameAnswersAsMemstore,
	"clock of each server":     clockOfEachServer,
	"resets are told":          resetsAreToldInACluster,
	"all or nothing":           allOrNothingOverServers,
	"never more":               neverMoreThanTheLimitOverServers,
	"braces":                   bracesAreNoTags,
	"refunds":                  refundsGoByEachServersClock,
	"node alone":               nodeIsNoServerAlone,
	"permissions":              leastPermissionsInACluster,
	"index secret":             otherIndexSecretOfACluster,
}

// changingTests change the cluster; each leaves it whole.
var changingTests = []struct {
	name string
	run  func(*testing.T, *testserver.ClusterServers)
}{
	{"evicting primary", evictingPrimaryIsWarnedOf},
	{"examined", examinedCluster},
	{"examined without a replica", examinedWithoutAReplica},
	{"failure on one server", failureOnOneServerGivesBack},
	{"slot half-way", slotHalfWay},
	{"slot moves under load", slotMovesUnderLoad},
	{"primary killed under load", primaryKilledUnderLoad},
}

// sameAnswersAsMemstore compares sequential histories: what others may see of a request that is refused on another
// server is not compared.
func sameAnswersAsMemstore(t *testing.T, s *testserver.ClusterServers) {
	for seed, narrow := range []storetest.Narrow{0: storetest.OneTag, 1: storetest.LogsOnly} {
		clock := storetest.NewManualClock()
		inProcess := memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock.Now)})
		inCluster := open(t, s.URL(), withClock(clock.Now), ownPrefix(t), func(o *Options) { o.Prefix += strconv.Itoa(seed) }).Counters()
		storetest.NarrowDifferential(t, 3_000, uint64(seed), inProcess, inCluster, clock, narrow)
	}
}

func clockOfEachServer(t *testing.T, s *testserver.ClusterServers) {
	c := open(t, s.URL(), ownPrefix(t))
	for _, n := range c.servers.layout().primaries {
		if !n.clock.known.Load() {
			t.Errorf("%s: its clock was not read at the start", n.address)
		}
	}
	if err := c.Ping(context.Background()); err != nil {
		t.Error(err)
	}
}
