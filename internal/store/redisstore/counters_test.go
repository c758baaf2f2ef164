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
	storetest.Counters(t, func(t *testing.T, clock func() time.Time) throttle.Store {
		return open(t, testserver.Redis(t).URL(), withClock(clock)).Counters()
	})
}

func TestCountersAnswerAsMemstoreDoes(t *testing.T) {
	t.Parallel()
	clock := storetest.NewManualClock()
	inProcess := memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock.Now)})
	inRedis := open(t, testserver.Redis(t).URL(), withClock(clock.Now)).Counters()
	storetest.Differential(t, 20_000, 1, inProcess, inRedis, clock)
}
