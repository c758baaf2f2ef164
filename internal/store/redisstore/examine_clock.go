package redisstore

import (
	"context"
	"fmt"
	"time"
)

const (
	// maxSkew is what NTP keeps by far, and what nobody notices in a Retry-After.
	maxSkew = time.Second
	// clockReadings are taken, of which the quickest counts: it tells most.
	clockReadings = 5
)

// reading is one look at two clocks.
type reading struct {
	ahead time.Duration // the server's, if it was read half-way
	trip  time.Duration // so ahead is right to half of this
}

// skew compares this machine's clock with the server's. smsd itself goes by the server's alone; but the dates of
// the policy, and the log, go by this machine's.
func (e *examiner) skew(ctx context.Context) Checked {
	best := reading{trip: time.Hour}
	for range clockReadings {
		r, err := e.readBoth(ctx)
		if err != nil {
			return e.failure("TIME", "permit it to this user (+time)", err)
		}
		if r.trip < best.trip {
			best = r
		}
	}
	ahead, side := best.ahead, "ahead of"
	if ahead < 0 {
		ahead, side = -ahead, "behind"
	}
	if ahead-best.trip/2 > maxSkew { // what is certain of it
		return finding("set both clocks by NTP", "the server is %s %s this machine (round trip %s)", ms(ahead), side, ms(best.trip))
	}
	return fine("the server is %s %s this machine (round trip %s)", ms(ahead), side, ms(best.trip))
}

func (e *examiner) readBoth(ctx context.Context) (reading, error) {
	began, sent := time.Now(), e.local()
	server, err := e.node.redis.Time(ctx).Result()
	trip := time.Since(began)
	return reading{ahead: server.Sub(sent.Add(trip / 2)), trip: trip}, err
}

// ms writes d as people compare it.
func ms(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d)/float64(time.Millisecond))
}
