package redisstore

import (
	"context"
	"testing"
	"time"
)

const msec = int64(time.Millisecond)

// Each reply: sent and received on the local clock, the server's clock between; and the offset after it. All in ms.
func TestClockLearns(t *testing.T) {
	t.Parallel()
	for name, replies := range map[string][][4]int64{
		"the first reply gives the low end":           {{0, 10, 1005, 995}},
		"a quicker one narrows it from below":         {{0, 300, 1300, 1000}, {400, 401, 1500, 1099}},
		"one that agrees changes nothing":             {{0, 1, 1001, 1000}, {50, 250, 1150, 1000}},
		"a clock set back is followed":                {{0, 1, 1001, 1000}, {100, 101, 201, 100}},
		"a clock set forward is followed":             {{0, 1, 1001, 1000}, {100, 101, 9101, 9000}},
		"a slow reply after a step gives what it can": {{0, 1, 1001, 1000}, {100, 400, 300, -100}},
	} {
		c := newServerClock()
		for i, r := range replies {
			c.learn(r[0]*msec, r[1]*msec, r[2])
			if got := c.offset.Load() / msec; got != r[3] {
				t.Errorf("%s: reply %d: offset %d ms, want %d", name, i, got, r[3])
			}
		}
	}
}

// Whatever the replies, a deadline never comes out later on the server's clock than it is.
func TestNotAfterIsNeverLate(t *testing.T) {
	t.Parallel()
	c := newServerClock()
	const offset = 123_456_789_123 // microseconds: what the server's clock is ahead
	serverMS := func(local int64) int64 { return (local + offset*1000) / msec }
	for i := range int64(1000) {
		sent := i * 7 * msec / 3
		at := sent + i%13*msec/5
		c.learn(sent, at+i%31*msec/4, serverMS(at))
		ctx, cancel := context.WithTimeout(context.Background(), time.Duration(i)*time.Millisecond)
		deadline, _ := ctx.Deadline()
		latest := serverMS(int64(deadline.Sub(c.start)))
		if got := c.notAfter(ctx, time.Now()); got >= latest || got < latest-12 {
			t.Fatalf("reply %d: not after %d, the deadline is in %d", i, got, latest)
		}
		cancel()
	}
}
