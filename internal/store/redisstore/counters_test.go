package redisstore

import (
	"testing"
	"time"

	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

func TestCounters(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	storetest.Counters(t, func(t *testing.T, clock func() time.Time) throttle.Store {
		return open(t, s.URL(), withClock(clock), ownPrefix(t)).Counters()
	})
}

func TestCountersAnswerAsMemstoreDoes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		clock := storetest.NewManualClock()
		inProcess := memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock.Now)})
		inRedis := open(t, testserver.Redis(t).URL(), withClock(clock.Now)).Counters()
		storetest.Differential(t, 10_000, seed, inProcess, inRedis, clock)
	}
}
