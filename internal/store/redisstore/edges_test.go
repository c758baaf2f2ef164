package redisstore

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"smsd/internal/sms"
	"smsd/internal/testserver"
	"smsd/internal/throttle"
)

// soak is how long the edges are met for; each second has one of every subject's windows.
const soak = 3500 * time.Millisecond

// Keys expire, by Redis's own clock, in the very milliseconds in which windows end. Around each such edge subjects
// are asked every millisecond, and each answer must be the one that a list of the instants of the answers gives: never
// more than the limit in a window, refused with the exact wait, and allowed once that is over. That a key has
// gone, or not yet, must not show; and at no moment is there one that lives for ever. (rolling-rate-limiter#36)
func TestEdgesOfWindowsAndLivesMeet(t *testing.T) {
	t.Parallel()
	s := testserver.Redis(t)
	c := open(t, s.URL())
	ctx, end := context.WithCancel(context.Background())
	var mortality, subjects sync.WaitGroup
	mortality.Go(func() { watchLives(ctx, t, raw(t, s), 2*time.Second) })
	for n := range 24 {
		subjects.Go(func() {
			e := &edge{t: t, c: c, group: edgeGroup(n, int64(1+n%3), edgeAlgorithms[n%4]), deadline: time.Now().Add(soak)}
			e.soak()
		})
	}
	for n := range 8 {
		subjects.Go(func() { soakCode(t, c, fmt.Sprintf("0b7e51f2-8d0c-4f6e-9a43-1f2d3c4b5a%02d", n)) })
	}
	subjects.Wait()
	end()
	mortality.Wait()
}

var edgeAlgorithms = [...]throttle.Algorithm{throttle.Log, throttle.Counter, throttle.Bucket, throttle.Fixed}

// edgeGroup has one cell of a window of a second. A Bucket's burst is one more than its limit.
func edgeGroup(n int, limit int64, a throttle.Algorithm) throttle.Group {
	p := &throttle.Plan{Mark: 7, TTL: 2 * time.Second}
	cell := throttle.Cell{Algorithm: a, Limit: limit, Window: time.Second, Slot: 1, Charge: true}
	switch a {
	case throttle.Log:
		p.TTL = time.Second
		p.Retain[throttle.Send], p.Keep[throttle.Send] = time.Second, throttle.Keep{All: int(limit)}
	case throttle.Bucket:
		cell.Burst = limit + 1
	}
	p.Cells = []throttle.Cell{cell}
	return throttle.Group{Key: tagged(n, "edge"), Plan: p}
}

// edge is one subject and all that was ever answered to it, in milliseconds of the store's clock.
type edge struct {
	t        *testing.T
	c        *Client
	group    throttle.Group
	deadline time.Time
	admitted []int64 // of a Log
	record   bucket  // of a Counter or a Fixed, as it was at the last charge
	level    level   // of a Bucket
}

type bucket struct{ start, current, previous int64 }

// level is in parts of an event, of which one has edgeWindow.
type level struct{ at, parts int64 }

func ceil(a, b int64) int64 { return (a + b - 1) / b }

const edgeWindow = 1000 // ms

// soak asks, and sleeps while nothing can change: from a refusal to shortly before the edge.
func (e *edge) soak() {
	for time.Now().Before(e.deadline) {
		taken := mustTake(e.t, e.c.Counters(), e.group)
		at, got := taken.At.UnixMilli(), taken.Verdicts[0].Wait.Milliseconds()
		want := e.wait(at)
		if taken.Allowed != (want == 0) || !taken.Allowed && got != want {
			e.t.Errorf("%s, limit %d, at %d: allowed %t with a wait of %d ms, want a wait of %d", e.group.Key.Tag,
				e.group.Plan.Cells[0].Limit, at, taken.Allowed, got, want)
			return
		}
		if taken.Allowed {
			e.charge(at)
			continue
		}
		time.Sleep(time.Duration(max(1, got-4)) * time.Millisecond) // the edge is met, whoever wakes late meets one less
	}
}

// wait is how long a subject has to, by all that it was answered; 0: it passes.
func (e *edge) wait(now int64) int64 {
	limit := e.group.Plan.Cells[0].Limit
	switch e.group.Plan.Cells[0].Algorithm {
	case throttle.Counter:
		return e.counterWait(now, limit)
	case throttle.Bucket:
		return ceil(max(0, e.level.leaked(now, limit)+edgeWindow-(limit+1)*edgeWindow), limit)
	case throttle.Fixed:
		if e.record.current >= limit {
			return max(0, e.record.start+edgeWindow-now)
		}
		return 0
	}
	if n := int64(len(e.admitted)); n >= limit {
		return max(0, e.admitted[n-limit]+edgeWindow-now)
	}
	return 0
}

func (e *edge) counterWait(now, limit int64) int64 {
	b := e.record.rolled(now)
	c, p, r := b.current, float64(b.previous), float64(b.start+edgeWindow-now)
	room := float64(limit - 1 - c)
	switch {
	case p*r <= room*edgeWindow:
		return 0
	case room >= 0:
		return int64(math.Ceil((p*r - room*edgeWindow) / p))
	}
	return int64(r) + int64(math.Ceil(-room*edgeWindow/float64(c)))
}

// rolled is the contract's: a bucket that is over is the one before, one that is long over counts no more.
func (b bucket) rolled(now int64) bucket {
	switch elapsed := now - b.start; {
	case elapsed >= 2*edgeWindow:
		return bucket{start: now}
	case elapsed >= edgeWindow:
		return bucket{b.start + edgeWindow, 0, b.current}
	}
	return b
}

// leaked is what is left at now.
func (l level) leaked(now, limit int64) int64 { return max(0, l.parts-(now-l.at)*limit) }

func (e *edge) charge(now int64) {
	e.admitted = append(e.admitted, now)
	e.level = level{now, e.level.leaked(now, e.group.Plan.Cells[0].Limit) + edgeWindow}
	if e.group.Plan.Cells[0].Algorithm == throttle.Fixed {
		if now-e.record.start >= edgeWindow {
			e.record = bucket{start: now}
		}
	} else {
		e.record = e.record.rolled(now)
	}
	e.record.current++
}

// soakCode submits a wrong code every millisecond around the end of its life, and until its record has gone: it
// lives up to its end and not a millisecond longer, then is told to be expired, then unknown; never back.
func soakCode(t *testing.T, c *Client, id string) {
	r := record()
	r.TTL, r.Keep, r.Attempts = time.Second, time.Second, 20
	created, err := c.Codes().Put(context.Background(), id, r)
	if err != nil {
		t.Error(err)
		return
	}
	end, told := created.Add(r.TTL), 0
	for _, edge := range []time.Time{end, end.Add(r.Keep)} {
		time.Sleep(time.Until(edge) - 4*time.Millisecond)
		for range 9 {
			got, err := c.Codes().Verify(context.Background(), id, guess(9))
			state := codeState(err)
			if state == 0 && !got.Now.Before(end) || state == 1 && got.Now.Before(end) || state < told {
				t.Errorf("at %s of an end at %s: %v, after state %d", got.Now, end, err, told)
			}
			told = state
			time.Sleep(time.Millisecond)
		}
	}
}

// codeState puts what a wrong code is answered in the order of a code's life; -1: none of it.
func codeState(err error) int {
	var wrong *sms.IncorrectError
	switch {
	case errors.As(err, &wrong):
		return 0
	case errors.Is(err, sms.ErrExpired):
		return 1
	case errors.Is(err, sms.ErrNotFound):
		return 2
	}
	return -1
}

// watchLives looks at every key, all the time: each has a time to live, and none a longer one than longest.
func watchLives(ctx context.Context, t *testing.T, server *redis.Client, longest time.Duration) {
	seen := 0
	for ctx.Err() == nil {
		for _, key := range server.Keys(context.Background(), "*").Val() {
			if ttl := server.PTTL(context.Background(), key).Val(); ttl == -1 || ttl > longest {
				t.Errorf("key %q lives %s", key, ttl)
			} else if ttl > 0 {
				seen++
			}
		}
	}
	if seen == 0 {
		t.Error("no key was ever seen")
	}
}
