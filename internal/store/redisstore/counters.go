package redisstore

import (
	"context"
	"time"

	"smsd/internal/throttle"
)

// counters is a [throttle.Store].
type counters struct{ *Client }

var _ throttle.Store = counters{}

// Counters returns the [throttle.Store] on c.
func (c *Client) Counters() throttle.Store { return counters{c} }

// The modes of take.lua.
const (
	modeTake  = 0
	modePeek  = 1
	modeForce = 2
	modeSend  = 3
)

// The statuses of take.lua and send.lua.
const (
	statusAllowed = 1
	statusDone    = 2 // allowed, and the code is stored
)

// Take implements [throttle.Store].
func (c counters) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	if t.Force {
		return c.ask(ctx, t, modeForce)
	}
	return c.ask(ctx, t, modeTake)
}

// Peek implements [throttle.Store].
func (c counters) Peek(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	return c.ask(ctx, t, modePeek)
}

func (c counters) ask(ctx context.Context, t throttle.Take, mode int) (throttle.Taken, error) {
	keys, args := c.grouped(t.Groups, mode, t.ID)
	r, err := c.run(ctx, call{script: c.scripts.Take, keys: keys, args: args, reads: mode == modePeek})
	return answer(t, r, err)
}

// answer reads the reply to t.
func answer(t throttle.Take, r reply, err error) (throttle.Taken, error) {
	if err != nil {
		return throttle.Taken{}, failed(throttle.ErrUnavailable, "take", err)
	}
	taken := throttle.Taken{
		Allowed: r.status >= statusAllowed || t.Force, ErrandDone: r.status == statusDone,
		At: r.at, Verdicts: verdicts(r.ints),
	}
	if len(taken.Verdicts) != cells(t.Groups) {
		return throttle.Taken{}, failed(throttle.ErrUnavailable, "take", errReply)
	}
	return taken, nil
}

// grouped returns the keys of groups, and first followed by their plans.
func (c counters) grouped(groups []throttle.Group, first ...any) ([]string, []any) {
	keys, args := make([]string, 0, len(groups)), first
	for _, g := range groups {
		keys = append(keys, c.keys.counter(g.Key))
		args = append(args, encoded(g.Plan))
	}
	return keys, args
}

// verdicts reads pairs: used, then the wait doubled, plus 1 for a refusal.
func verdicts(ints []int64) []throttle.Verdict {
	all := make([]throttle.Verdict, len(ints)/2)
	for i := range all {
		wait := ints[2*i+1]
		all[i] = throttle.Verdict{Used: ints[2*i], Wait: time.Duration(wait/2) * time.Millisecond, Refused: wait%2 == 1}
	}
	return all
}

func cells(groups []throttle.Group) int {
	n := 0
	for _, g := range groups {
		n += len(g.Plan.Cells)
	}
	return n
}

// Refund implements [throttle.Store].
func (c counters) Refund(ctx context.Context, r throttle.Refund) error {
	if len(r.Groups) == 0 {
		return nil
	}
	keys, args := c.grouped(r.Groups, r.ID, r.At.UnixMilli(), marked(r.Uncharged))
	if _, err := c.run(ctx, call{script: c.scripts.Refund, keys: keys, args: args}); err != nil {
		return failed(throttle.ErrUnavailable, "refund", err)
	}
	return nil
}

// marked writes a 1 for each true.
func marked(all []bool) []byte {
	text := make([]byte, len(all))
	for i, is := range all {
		text[i] = '0'
		if is {
			text[i] = '1'
		}
	}
	return text
}
