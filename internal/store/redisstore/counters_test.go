package redisstore

import (
	"testing"
	"time"

	"smsd/internal/sms"
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

// Every take of the suite has an errand here.
func TestCountersBesideCodes(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	t.Run("put", func(t *testing.T) {
		storetest.Counters(t, func(t *testing.T, clock func() time.Time) throttle.Store {
			return storetest.WithErrands(t, open(t, s.URL(), withClock(clock), ownPrefix(t)).CountersBesideCodes())
		})
	})
	t.Run("verify", func(t *testing.T) {
		storetest.Counters(t, func(t *testing.T, clock func() time.Time) throttle.Store {
			c := open(t, s.URL(), withClock(clock), ownPrefix(t))
			return storetest.WithGuesses(t, c.CountersBesideCodes(), c.Codes(), 1, false)
		})
	})
}

func TestErrands(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	storetest.Errands(t, true, func(t *testing.T, clock func() time.Time) (throttle.Store, sms.Codes) {
		c := open(t, s.URL(), withClock(clock), ownPrefix(t))
		return c.CountersBesideCodes(), c.Codes()
	})
}

func TestErrandsAreLeftAloneElsewhere(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	storetest.Errands(t, false, func(t *testing.T, clock func() time.Time) (throttle.Store, sms.Codes) {
		c := open(t, s.URL(), withClock(clock), ownPrefix(t))
		return c.Counters(), c.Codes()
	})
}

func TestCountersAnswerAsMemstoreDoes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		clock := storetest.NewManualClock()
		inProcess := memstore.NewCounters(memstore.Options{Clock: memstore.NewClock(clock.Now)})
		inRedis := open(t, testserver.Redis(t).URL(), withClock(clock.Now)).CountersBesideCodes()
		if seed == 1 {
			inRedis = storetest.WithErrands(t, inRedis)
		}
		storetest.Differential(t, 10_000, seed, inProcess, inRedis, clock)
	}
}

// And so do takes with guesses, whatever these come to.
func TestVerifiesAnswerAsMemstoreDoes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(2) {
		clock := storetest.NewManualClock()
		own := memstore.Options{Clock: memstore.NewClock(clock.Now)}
		codes := memstore.NewCodes(own)
		c := open(t, testserver.Redis(t).URL(), withClock(clock.Now))
		inProcess := storetest.WithGuesses(t, memstore.NewCounters(own).BesideCodes(codes), codes, seed, true)
		inRedis := storetest.WithGuesses(t, c.CountersBesideCodes(), c.Codes(), seed, true)
		storetest.Differential(t, 5_000, seed, inProcess, inRedis, clock)
		inProcess.Same(inRedis)
	}
}
