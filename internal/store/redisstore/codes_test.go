package redisstore

import (
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/memstore"
	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	storetest.Codes(t, func(t *testing.T, clock func() time.Time) sms.Codes {
		return open(t, s.URL(), withClock(clock), ownPrefix(t)).Codes()
	})
}

func TestCodesAnswerAsMemstoreDoes(t *testing.T) {
	t.Parallel()
	clock := storetest.NewManualClock()
	inProcess := memstore.NewCodes(memstore.Options{Clock: memstore.NewClock(clock.Now)})
	inRedis := open(t, testserver.Redis(t).URL(), withClock(clock.Now)).Codes()
	storetest.CodesDifferential(t, 20_000, 1, inProcess, inRedis, clock.Advance)
}
