package redisstore

import (
	"errors"
	"math/rand/v2"
	"time"

	"github.com/sony/gobreaker/v2"
)

// breaker keeps trips from a server that does not answer: a frozen one would else cost each call its whole budget. It
// watches trips, not calls, since a batch that is lost with its connection is one loss. Once open it refuses at
// once; after a moment it lets one call through, and closes or opens again by how that ends. Safe for concurrent use.
type breaker struct {
	gate *gobreaker.TwoStepCircuitBreaker[struct{}]
	fair time.Duration
}

const (
	// tripsInARow open the breaker: more than the one or two that a restart of the server or of the network breaks.
	tripsInARow = 5
	// Half of the trips within watched open it too, for a server that answers now and then; from enoughTrips on,
	// since half of a few is chance.
	enoughTrips  = 20
	watched      = 10 * time.Second
	watchedPiece = time.Second
	// openFor to twice as long it is open: longer than a call of the default budget that is still out, and short beside
	// a failover.
	openFor = time.Second
	// fairWait is what a server must be given before its silence counts against it; a trip nearby takes about a millisecond.
	fairWait = 100 * time.Millisecond
)

var (
	errOpen = errors.New("the server has not answered lately, and is not asked for a moment")
	// errUnfair is a trip whose failure says nothing of the server.
	errUnfair = errors.New("unfair")
)

// newBreaker returns one for calls of at most budget.
func newBreaker(budget time.Duration, t *traffic) *breaker {
	return &breaker{fair: min(fairWait, budget/2), gate: gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests: 1, Interval: watched, BucketPeriod: watchedPiece, Timeout: openTime(),
		ReadyToTrip: tripped,
		IsExcluded:  func(err error) bool { return errors.Is(err, errUnfair) },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			t.transitions.WithLabelValues(stateLabels[to]).Inc()
		},
	})}
}

// openTime draws how long a breaker is open, so that instances which lost a server together do not come back to it together.
func openTime() time.Duration { return openFor + rand.N(openFor) }

var stateLabels = map[gobreaker.State]string{
	gobreaker.StateClosed: "closed", gobreaker.StateHalfOpen: "half_open", gobreaker.StateOpen: "open",
}

func tripped(c gobreaker.Counts) bool {
	return c.ConsecutiveFailures >= tripsInARow || c.TotalFailures >= enoughTrips/2 && 2*c.TotalFailures >= c.Requests
}

// state is 0 closed, 1 half open, 2 open.
func (b *breaker) state() int { return int(b.gate.State()) }

// refuses reports whether a call need not try: it is open, or the one call that it lets through is out.
func (b *breaker) refuses() bool {
	switch b.gate.State() {
	case gobreaker.StateOpen:
		return true
	case gobreaker.StateHalfOpen:
		c := b.gate.Counts()
		return c.Requests > c.TotalExclusions
	}
	return false
}

// most is how many calls the next trip may take: one that tries whether the server is back takes one.
func (b *breaker) most(calls int) int {
	if b.gate.State() == gobreaker.StateClosed {
		return calls
	}
	return 1
}

// begin begins a trip that may last for left. What it returns takes how the trip ended.
func (b *breaker) begin(left time.Duration) (func(error), error) {
	done, err := b.gate.Allow()
	if err != nil {
		return nil, errOpen
	}
	return func(err error) { done(b.judge(err, left)) }, nil
}
