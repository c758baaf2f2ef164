package gateway

import (
	"slices"
	"time"

	"smsd/internal/phone"
)

// A circuit watches one class of failures, of a gateway or of one country there. Closed it lets every call through; open,
// none; and once it has been open for a while, one call to probe it. It is a plain value, which its breaker guards.
type circuit struct {
	row    int       // failures since the last good answer
	rowOf  few       // whose they were
	recent [2]tally  // in this piece of time, and in the one before
	piece  time.Time // when this one began
	since  time.Time // when it closed last; what began before says nothing of now
	until  time.Time // zero: closed. Else from when on one call may probe it
	opened time.Time // when it opened last, from closed
	well   time.Time // when the last good answer came
	// length is how long it was shut for, without what was drawn.
	length time.Duration
	// others is until when calls of which more can be learnt go first, and patience how long what has failed it waits in all.
	others   time.Time
	patience time.Duration
	// held is until when the numbers of rowOf alone wait: they have made up a row that would have opened it, and are too few for that.
	held    time.Time
	heldFor time.Duration
	// probing says that a probe is out.
	probing bool
	// need is how many failures in a row open it, if it learns; 0: as its trigger says.
	need int
	// turn is how many messages the gateway had accepted when it opened.
	turn uint64
	why  *Error // what calls that it refuses are told
	// failed are the last numbers to fail it, a ring, and next where the next one goes. They may be what is wrong, so while it is
	// open others go first.
	failed [rememberedNumbers]phone.Number
	next   int
}

type tally struct {
	calls, failed int
	of            few // whose the failed ones were
}

// A verdict is what the end of a call says of one class.
type verdict uint8

const (
	mute verdict = iota // nothing
	good
	bad
)

// A trigger is when circuits of one class open, and for how long.
type trigger struct {
	inARow int // failures that open it
	// numbers are of how many different ones the failures must be; at most maxFew. 0: of one.
	numbers int
	// soon are failures that open it within moments of a good answer; 0: as many as otherwise.
	soon int
	// Half of the calls of the last 5 to 10 s open it too, from enough calls on, since half of a few is chance; 0: they don't.
	enough int
	// It is open for shortest to half as long again, and after each probe of another number that fails for twice as long, up to longest.
	shortest, longest time.Duration
	// learns says that who turns out to be well after a few failures is given more of them the next time.
	learns bool
}

const (
	pieceOfTime = 5 * time.Second
	moments     = 10 * time.Second
	// rememberedNumbers are more than somebody has who plays with a few odd ones.
	rememberedNumbers = 8
	// What is learnt is forgotten after memory without a fault.
	memory = time.Hour
	// moreEach is how many times as many failures it takes the next time, up to mostNeed.
	moreEach, mostNeed = 5, 125
)

func (c *circuit) open() bool { return !c.until.IsZero() }

// refuses reports whether a call to n at now may not go through.
func (c *circuit) refuses(n phone.Number, now time.Time) bool {
	switch {
	case !c.open():
		return now.Before(c.held) && c.rowOf.has(n)
	case c.probing || now.Before(c.until):
		return true
	}
	return c.hasFailed(n) && c.othersFirst(now)
}

// hasFailed reports whether n is one of the last numbers to fail it.
func (c *circuit) hasFailed(n phone.Number) bool { return slices.Contains(c.failed[:], n) }

// othersFirst reports whether the probe should be a call of which more can be learnt: it is open, and such calls have not yet had their
// time to come.
func (c *circuit) othersFirst(now time.Time) bool { return c.open() && now.Before(c.others) }

// probe makes the call that is let through the probe of an open circuit, and reports whether it is one.
func (c *circuit) probe() bool {
	c.probing = c.open()
	return c.probing
}

// refusal is a copy, since the router writes into it.
func (c *circuit) refusal() *Error {
	e := *c.why
	return &e
}

// state is 0 closed, 1 the next call probes it, or one does so now, 2 open.
func (c *circuit) state(now time.Time) int {
	switch {
	case !c.open():
		return 0
	case now.Before(c.until):
		return 2
	}
	return 1
}

// count takes what a call to n says that was let through while the circuit was closed, and reports whether it must open.
func (c *circuit) count(n phone.Number, v verdict, t trigger, now time.Time) bool {
	if v == mute {
		return false
	}
	c.turnPage(now)
	c.recent[0].calls++
	if v == good {
		c.endRow(now)
		return false
	}
	c.row++
	c.rowOf.add(n)
	c.recent[0].failed++
	c.recent[0].of.add(n)
	if c.row >= c.needs(t, now) {
		if c.rowOf.n >= t.numbers {
			return true
		}
		c.hold(t, now)
	}
	return c.half(t)
}

// endRow forgets the failures in a row, since a good answer came.
func (c *circuit) endRow(now time.Time) {
	c.row, c.rowOf, c.well, c.held, c.heldFor = 0, few{}, now, time.Time{}, 0
}

// hold has the few numbers of the row wait, and nobody else: longer each time.
func (c *circuit) hold(t trigger, now time.Time) {
	c.heldFor = min(max(2*c.heldFor, t.shortest), t.longest)
	c.held = now.Add(c.heldFor)
}

// half reports whether half of the last calls failed, where there were enough of them.
func (c *circuit) half(t trigger) bool {
	calls, failed := c.recent[0].calls+c.recent[1].calls, c.recent[0].failed+c.recent[1].failed
	if t.enough == 0 || calls < t.enough || 2*failed < calls {
		return false
	}
	of := c.recent[0].of
	of.addAll(c.recent[1].of)
	return of.n >= t.numbers
}

// turnPage begins another piece of time, if this one is over.
func (c *circuit) turnPage(now time.Time) {
	age := now.Sub(c.piece)
	switch {
	case age < pieceOfTime:
		return
	case age < 2*pieceOfTime:
		c.recent[1] = c.recent[0]
		c.piece = c.piece.Add(pieceOfTime)
	default:
		c.recent[1] = tally{}
		c.piece = now
	}
	c.recent[0] = tally{}
}

// needs returns how many failures in a row open it now.
func (c *circuit) needs(t trigger, now time.Time) int {
	n := t.inARow
	if now.Sub(c.well) < moments {
		n = max(n, t.soon)
	}
	if now.Sub(c.opened) <= memory {
		n = max(n, c.need)
	}
	return n
}

// remember keeps a number that failed it.
func (c *circuit) remember(n phone.Number) {
	if !c.hasFailed(n) {
		c.failed[c.next] = n
		c.next = (c.next + 1) % rememberedNumbers
	}
}

// shut opens the circuit, so that it lets nothing through for a while; draw draws a duration from 0 to below its own.
func (c *circuit) shut(t trigger, now time.Time, draw func(time.Duration) time.Duration) {
	if !c.open() {
		if now.Sub(c.opened) > memory {
			c.need = 0
		}
		c.opened, c.length = now, 0
	}
	c.length = min(max(2*c.length, t.shortest), t.longest)
	c.until = now.Add(c.length + draw(c.length/2))
	c.patience, c.others = 2*c.length, c.until.Add(c.length)
}

// failedAgain takes a probe that failed, of a number that had failed it before. That says nothing new of anybody else, so that others
// may go on to try at any time, and such numbers wait for longer: as long as if it had been shut, and others had had as long again.
func (c *circuit) failedAgain(t trigger, now time.Time) {
	c.patience = min(2*c.patience, 2*t.longest)
	c.others = now.Add(c.patience)
}

// mend closes the circuit, since a probe came through.
func (c *circuit) mend(t trigger, now time.Time) {
	if t.learns {
		c.need = min(max(c.need, 1)*moreEach, mostNeed)
	}
	c.until, c.since, c.why = time.Time{}, now, nil
	c.endRow(now)
	c.recent = [2]tally{}
	c.failed = [rememberedNumbers]phone.Number{}
}
