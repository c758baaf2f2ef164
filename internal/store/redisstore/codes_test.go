package redisstore

import (
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/store/storetest"
	"smsd/internal/testserver"
)

func TestCodes(t *testing.T) {
	t.Parallel()
	storetest.Codes(t, func(t *testing.T, clock func() time.Time) sms.Codes {
		return open(t, testserver.Redis(t).URL(), withClock(clock)).Codes()
	})
}
