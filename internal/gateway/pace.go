package gateway

import (
	"errors"
	"math"
	"time"

	"golang.org/x/time/rate"
)

// maxPaceWait is how long a message waits for its turn at the last gateway of its route: what would fail a client, who then tries again
// and adds to the flood, is only late. It bounds those who wait to one second's worth of messages.
const maxPaceWait = time.Second

var errPace = errors.New("it has its messages for now, by its rate in the settings")

// A pace is how many messages a gateway gets in a time. The zero pace is any.
type pace struct{ limiter *rate.Limiter }

// newPace returns one of perSecond messages, burst at once; burst 0: a second's worth.
func newPace(perSecond float64, burst int) pace {
	if perSecond == 0 {
		return pace{}
	}
	if burst == 0 {
		burst = max(1, int(math.Ceil(perSecond)))
	}
	return pace{rate.NewLimiter(rate.Limit(perSecond), burst)}
}

// take takes the turn of a message, and returns how long it must wait for it; ok is false if that is over patience, and then
// nothing is taken.
func (p pace) take(now time.Time, patience time.Duration) (wait time.Duration, ok bool) {
	if p.limiter == nil {
		return 0, true
	}
	if p.limiter.AllowN(now, 1) {
		return 0, true
	}
	if patience <= 0 {
		return 0, false
	}
	turn := p.limiter.ReserveN(now, 1)
	if wait = turn.DelayFrom(now); wait > patience {
		turn.CancelAt(now)
		return 0, false
	}
	return wait, true
}
