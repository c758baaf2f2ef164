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
	// modeVerify is of verify.lua.
	modeVerify = 4
)

// The statuses of take.lua, send.lua and verify.lua.
const (
	statusAllowed = 1
	statusDone    = 2 // allowed, and the code is stored, or compared
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

// ask asks one server about all groups at once, or, where they lie on several, each about its own.
func (c counters) ask(ctx context.Context, t throttle.Take, mode int) (throttle.Taken, error) {
	if parts := c.parts(t.Groups); len(parts) > 1 {
		return c.askParts(ctx, t, mode, parts)
	}
	return c.askOnce(ctx, t, mode)
}

// askOnce asks about groups of one slot. While that moves, its keys may be on two servers: then about each alone.
func (c counters) askOnce(ctx context.Context, t throttle.Take, mode int) (throttle.Taken, error) {
	keys, args := c.grouped(&room{}, t.Groups, mode, t.ID)
	r, err := c.run(ctx, call{script: &c.scripts.Take, keys: keys, args: args, reads: mode == modePeek})
	if onTwoServers(err) && len(t.Groups) > 1 {
		return c.askParts(ctx, t, mode, each(len(t.Groups)))
	}
	return answer(t, mode, r, err)
}

// answer reads the reply to t.
func answer(t throttle.Take, mode int, r reply, err error) (throttle.Taken, error) {
	if err != nil {
		return throttle.Taken{}, failed(throttle.ErrUnavailable, "take", err)
	}
	allowed := r.status >= statusAllowed || t.Force
	all, whole := verdicts(t.Groups, r.ints, allowed && mode != modePeek)
	if !whole {
		return throttle.Taken{}, failed(throttle.ErrUnavailable, "take", errReply)
	}
	return throttle.Taken{Allowed: allowed, ErrandDone: r.status == statusDone, At: r.at, Verdicts: all}, nil
}

// grouped returns the keys of groups, and first followed by their plans.
func (c counters) grouped(in *room, groups []throttle.Group, first ...any) ([]string, []any) {
	args := append(in.args[:0], first...)
	for _, g := range groups {
		args = append(args, &packed(g.Plan).text)
	}
	return c.keys.counters(in.keys[:0], groups), args
}

// notThere stands in the place of a group's answers: its key is not there, and its plan is plain.
const notThere = -1

// verdicts reads the cells' answers, and says whether they are whole: of each cell what it has used, then the wait doubled,
// plus 1 for a refusal; or of all cells of a group notThere.
func verdicts(groups []throttle.Group, ints []int64, charged bool) (all []throttle.Verdict, whole bool) {
	all = make([]throttle.Verdict, 0, cells(groups))
	for _, g := range groups {
		n := len(g.Plan.Cells)
		switch {
		case n > 0 && len(ints) > 0 && ints[0] == notThere:
			all, ints = appendFirst(all, g.Plan, charged), ints[1:]
			continue
		case 2*n > len(ints):
			return nil, false
		}
		for i := range n {
			used, wait := ints[2*i], ints[2*i+1]
			all = append(all, throttle.Verdict{Used: used, Wait: time.Duration(wait/2) * time.Millisecond, Refused: wait%2 == 1})
		}
		ints = ints[2*n:]
	}
	return all, len(ints) == 0
}

// appendFirst appends what the cells of a plan say of a key that is not there.
func appendFirst(all []throttle.Verdict, p *throttle.Plan, charged bool) []throttle.Verdict {
	if first := packed(p).first; charged && first != nil {
		return append(all, first...)
	}
	return append(all, make([]throttle.Verdict, len(p.Cells))...)
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
	if parts := c.refundParts(r); len(parts) > 1 {
		return c.refundEach(ctx, parts)
	}
	return c.refundOnce(ctx, r)
}

func (c counters) refundOnce(ctx context.Context, r throttle.Refund) error {
	at := r.At
	if r.GroupAt != nil {
		at = r.GroupAt[0]
	}
	keys, args := c.grouped(&room{}, r.Groups, r.ID, at.UnixMilli(), marked(r.Uncharged))
	_, err := c.run(ctx, call{script: &c.scripts.Refund, keys: keys, args: args})
	switch {
	case onTwoServers(err) && len(r.Groups) > 1:
		return c.refundEach(ctx, refundsOf(r, each(len(r.Groups))))
	case err != nil:
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
