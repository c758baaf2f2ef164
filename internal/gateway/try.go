package gateway

import (
	"context"
	"errors"
	"time"

	"smsd/internal/deadline"
)

// A line is a gateway with what bounds and counts the calls to it.
type line struct {
	name    string
	driver  Driver
	timeout time.Duration
	// slots holds one token for each call that runs, also for one that nobody waits for any more.
	slots   chan struct{}
	workers *workers
	metrics *lineMetrics
	breaker *breaker // nil: none
	enough  *enough  // nil: none
	pace    pace
}

// An outcome is what a call came to; failure is nil if the message was accepted.
type outcome struct {
	accepted Accepted
	failure  *Error
}

func newLine(g Gateway, o RouterOptions, m *metrics) *line {
	slots := make(chan struct{}, o.MaxCalls)
	l := &line{
		name:    g.Name,
		driver:  g.Driver,
		timeout: o.TryTimeout,
		slots:   slots,
		workers: &workers{name: g.Name, driver: g.Driver, slots: slots},
		metrics: m.of(g.Name),
		pace:    newPace(g.Rate, g.Burst),
	}
	l.workers.late = l.metrics.late
	if g.Breaker {
		l.breaker = newBreaker(o.IntN, breakerMetricsOf(m.transitions, g.Name))
		l.enough = &enough{}
	}
	return l
}

// try makes one call and counts it, unless the gateway is not to be asked now. It comes back within left and the try's
// time-out, whatever the driver does. At the last gateway of a route a message waits a little for its turn.
func (l *line) try(ctx context.Context, m Message, late Late, left time.Duration, last bool) (Accepted, *Error) {
	start := time.Now()
	if refused := l.enough.refuses(m.Phone, m.Scene, start); refused != nil {
		l.metrics.skipped[byLimit].Inc()
		return Accepted{}, refused
	}
	p, refused := l.breaker.admit(m.Phone, start)
	if refused != nil {
		l.metrics.skipped[byBreaker].Inc()
		return Accepted{}, refused
	}
	wait, ok := l.pace.take(start, patience(last, left))
	if !ok {
		return Accepted{}, l.skip(p, byPace, errPace)
	}
	if wait > 0 {
		time.Sleep(wait)
		left -= time.Since(start)
		start = time.Now()
	}
	select {
	case l.slots <- struct{}{}:
	default:
		return Accepted{}, l.skip(p, byCalls, errTooMany)
	}
	o := l.await(task{ctx, m, late}, start, min(left, l.timeout))
	end := time.Now()
	l.breaker.settle(p, o.failure, end)
	l.enough.hear(m.Phone, m.Scene, o.failure, end)
	l.metrics.seconds.Observe(end.Sub(start).Seconds())
	return l.counted(o)
}

// patience is how long a message with so much time left may wait for its turn.
func patience(last bool, left time.Duration) time.Duration {
	if !last {
		return 0
	}
	return min(maxPaceWait, left/2)
}

// skip passes over the gateway, though its breaker did not.
func (l *line) skip(p pass, why skipping, err error) *Error {
	l.breaker.leave(p)
	l.metrics.skipped[why].Inc()
	return &Error{Reason: Temporary, Sent: NotSent, Err: err}
}

var (
	errTooMany  = errors.New("too many calls are running")
	errOverran  = errors.New("the driver overran its deadline")
	errNoReturn = errors.New("the driver did not return")
)

// await runs the call beside itself, so that a driver which ignores its context holds up nobody. The
// driver's own deadline is a twentieth earlier: one that honours it still gets to say whether the message
// left.
func (l *line) await(t task, start time.Time, timeout time.Duration) outcome {
	bounded := deadline.New(t.ctx, start.Add(timeout*19/20))
	defer bounded.End()
	t.ctx = bounded
	return l.workers.call(t, timeout)
}

func (l *line) counted(o outcome) (Accepted, *Error) {
	if o.failure == nil {
		l.metrics.accepted.Inc()
	} else {
		l.metrics.failed[o.failure.Reason].Inc()
	}
	return o.accepted, o.failure
}
