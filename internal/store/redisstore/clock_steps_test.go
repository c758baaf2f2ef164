package redisstore

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"testing"
	"time"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// stepped is load on a server whose clock is set, and when that was.
type stepped struct {
	t     *testing.T
	c     *Client
	clock *testserver.WallClock
	end   time.Time

	mu    sync.Mutex
	steps []stepAt
}

// stepAt is one step: by this process's clock, which is not set, it happened between from and to.
type stepAt struct {
	from, to time.Time
	forward  bool
}

func (s *stepped) step(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := time.Now()
	s.clock.Step(d)
	s.steps = append(s.steps, stepAt{from, time.Now(), d > 0})
}

// between counts the steps, or those forward alone, that may have happened between from and to.
func (s *stepped) between(from, to time.Time, forwardOnly bool) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, at := range s.steps {
		if (at.forward || !forwardOnly) && at.to.After(from) && at.from.Before(to) {
			n++
		}
	}
	return n
}

// asked is one answer: the server gave it between sent and received.
type asked struct {
	throttle.Taken
	sent, received time.Time
}

func (s *stepped) ask(g throttle.Group) asked {
	a := asked{sent: time.Now()}
	a.Taken = mustTake(s.t, s.c.Counters(), g)
	a.received = time.Now()
	return a
}

// load asks for one subject until the end. Whatever the server's clock does, a refusal's wait is one window at the
// most (two for a Counter, whose buckets are two), and is enough if there was no step meanwhile; and in each window of real
// time no more than most are admitted, and as many again for each step forward in it.
func (s *stepped) load(g throttle.Group, most int) {
	longest := time.Second
	if g.Plan.Cells[0].Algorithm == throttle.Counter {
		longest *= 2
	}
	var admitted []asked
	var promise *asked // the refusal whose wait is to prove true
	for time.Now().Before(s.end) {
		a := s.ask(g)
		wait := a.Verdicts[0].Wait
		switch {
		case a.Allowed:
			admitted, promise = append(admitted, a), nil
			continue
		case wait > longest:
			s.t.Errorf("a wait of %s, of a window of 1s", wait)
			return
		case promise == nil || s.between(promise.sent, a.received, false) > 0:
			promise = &a
		case a.sent.After(promise.received.Add(promise.Verdicts[0].Wait)):
			s.t.Errorf("refused for %s, and again after that, for %s", promise.Verdicts[0].Wait, wait)
		}
		time.Sleep(min(wait, 20*time.Millisecond)) // no step passes unseen
	}
	s.judge(admitted, most)
}

// judge counts the admitted of every window that surely lies within a second.
func (s *stepped) judge(admitted []asked, most int) {
	if len(admitted) == 0 {
		s.t.Error("nobody was ever admitted")
	}
	for i, first := range admitted {
		last := i
		for last+1 < len(admitted) && admitted[last+1].received.Sub(first.sent) < time.Second {
			last++
		}
		steps := s.between(first.sent, admitted[last].received, true)
		if n := last - i + 1; n > most*(1+steps) {
			s.t.Errorf("%d admitted within a second with %d steps forward, want %d for each", n, steps, most)
		}
	}
}

// The real server's clock is set forward and back by an hour under load: nobody is locked out for longer than a window,
// nobody is let in more often than one window's worth for each step, and no call fails.
func TestServerClockSetUnderLoad(t *testing.T) {
	t.Parallel()
	server, clock := testserver.RedisWithClock(t)
	s := &stepped{t: t, c: open(t, server.URL()), clock: clock, end: time.Now().Add(4 * time.Second)}
	var load sync.WaitGroup
	for n := range 12 {
		limit, algorithm := int64(1+n%3), edgeAlgorithms[n%2] // a Log or a Counter
		most := int(limit)
		if algorithm == throttle.Counter {
			most = int(max(1, 2*limit-1)) // two buckets' worth, at the worst
		}
		load.Go(func() { s.load(edgeGroup(n, limit, algorithm), most) })
	}
	for _, d := range []time.Duration{time.Hour, -time.Hour, -time.Hour, 2 * time.Hour, -10 * time.Millisecond} {
		time.Sleep(600 * time.Millisecond) // some of the windows are under way, whichever
		s.step(d)
	}
	load.Wait()
}

// Right after the first answer that follows a step of the server's clock, deadlines go by the new clock: what a frozen
// server does later changes nothing, and what is in time works.
func TestDeadlinesFollowTheServersClock(t *testing.T) {
	t.Parallel()
	server, clock := testserver.RedisWithClock(t)
	c, seen := open(t, server.URL()), raw(t, server)
	g := limited("p", 9, 24*time.Hour) // its key outlives every step
	for i, d := range []time.Duration{0, time.Hour, -2 * time.Hour, 3 * time.Hour} {
		clock.Step(d)
		recovered(t, c)
		if taken := mustTake(t, c.Counters(), g); !taken.Allowed || taken.Verdicts[0].Used != int64(i+1) {
			t.Errorf("after a step by %s: %+v", d, taken)
		}
		before := contents(t, seen)
		sentInTime(t, seen, func() { recovered(t, c) }, func(in time.Duration) {
			server.Freeze()
			_, err := c.Counters().Take(within(t, in), takeOf(g))
			server.Thaw()
			wantUnavailable(t, err)
		})
		if after := contents(t, seen); !reflect.DeepEqual(after, before) {
			t.Errorf("after a step by %s a call happened late", d)
		}
	}
}

// A code that was used or guessed away does not live again, whatever the server's clock does; nor one that is forgotten.
func TestEndedCodesStayEndedThroughClockSteps(t *testing.T) {
	t.Parallel()
	server, clock := testserver.RedisWithClock(t)
	codes := open(t, server.URL()).Codes()
	for _, id := range []string{"used", "exhausted", "forgotten"} {
		r := record()
		r.Attempts = 1
		if id != "forgotten" {
			r.Keep = 24 * time.Hour
		}
		if _, err := codes.Put(context.Background(), id, r); err != nil {
			t.Fatal(err)
		}
	}
	verify := func(id string, code byte) error {
		_, err := codes.Verify(context.Background(), id, guess(code))
		return err
	}
	if err := verify("used", 1); err != nil {
		t.Fatal(err)
	}
	if err := verify("exhausted", 9); !errors.As(err, new(*sms.IncorrectError)) {
		t.Fatal(err)
	}
	clock.Step(time.Hour)
	if err := verify("forgotten", 1); err != sms.ErrNotFound {
		t.Errorf("forgotten: %v", err)
	}
	for _, d := range []time.Duration{0, -time.Hour, -time.Hour, 90 * time.Minute} {
		clock.Step(d)
		for id, want := range map[string]error{"used": sms.ErrUsed, "exhausted": sms.ErrAttemptsExhausted, "forgotten": sms.ErrNotFound} {
			if err := verify(id, 1); err != want {
				t.Errorf("after a step by %s, %s: %v, want %v", d, id, err, want)
			}
		}
	}
}
