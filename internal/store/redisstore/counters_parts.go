package redisstore

import (
	"context"
	"slices"
	"sync"
	"time"

	"smsd/internal/throttle"
)

// In a cluster one call of a script reaches the keys of one slot. So the groups of a call are asked tag by tag, all at
// once, and each part is all or nothing by itself. If one refuses, those that have granted are given back by the
// reservation's id. In between, their charges may refuse others; never does more pass than may.

// parts returns the groups that one call can reach, by their places: each tag's own in a cluster, else all.
func (c counters) parts(groups []throttle.Group) [][]int {
	if !c.servers.layout().spread() {
		return nil
	}
	var parts [][]int
	places := map[throttle.Tag]int{}
	for i, g := range groups {
		place, known := places[g.Key.Tag]
		if !known {
			place = len(parts)
			places[g.Key.Tag], parts = place, append(parts, nil)
		}
		parts[place] = append(parts[place], i)
	}
	return parts
}

// each returns n parts of one.
func each(n int) [][]int {
	parts := make([][]int, n)
	for i := range parts {
		parts[i] = []int{i}
	}
	return parts
}

// partial is what one part came to.
type partial struct {
	part  []int // places of groups
	take  throttle.Take
	taken throttle.Taken
	err   error
}

func (c counters) askParts(ctx context.Context, t throttle.Take, mode int, parts [][]int) (throttle.Taken, error) {
	ctx, cancel := context.WithTimeout(ctx, c.budget)
	defer cancel()
	answers := make([]partial, len(parts))
	var work sync.WaitGroup
	for i, part := range parts {
		work.Go(func() {
			a := partial{part: part, take: takePart(t, part)}
			a.taken, a.err = c.askOnce(ctx, a.take, mode)
			answers[i] = a
		})
	}
	work.Wait()
	if mode == modeTake {
		c.settle(ctx, answers)
	}
	return merged(t, answers)
}

func takePart(t throttle.Take, part []int) throttle.Take {
	own := throttle.Take{ID: t.ID, Force: t.Force}
	for _, i := range part {
		own.Groups = append(own.Groups, t.Groups[i])
	}
	return own
}

// settle gives back what some parts have granted if another has not, and then says of them what they said before. After
// a refusal it waits for that, so that whoever comes next finds the counters as they were; after a failure there may be
// no time left.
func (c counters) settle(ctx context.Context, answers []partial) {
	granted, refused, failed := split(answers)
	if !refused && !failed || len(granted) == 0 {
		return
	}
	done := c.giveBack(ctx, granted)
	if failed {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
	for _, a := range granted {
		a.taken = beforeCharge(a.take, a.taken)
	}
}

func split(answers []partial) (granted []*partial, refused, failed bool) {
	for i := range answers {
		switch a := &answers[i]; {
		case a.err != nil:
			failed = true
		case a.taken.Allowed:
			granted = append(granted, a)
		default:
			refused = true
		}
	}
	return granted, refused, failed
}

// giveBack refunds in the background, within a budget of its own. A refund that is lost heals within one window.
func (c counters) giveBack(ctx context.Context, granted []*partial) <-chan struct{} {
	var refunds []throttle.Refund
	for _, a := range granted {
		refunds = append(refunds, a.refund())
	}
	done := make(chan struct{})
	if !c.background(func() {
		defer close(done)
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.budget)
		defer cancel()
		_ = c.refundEach(ctx, refunds) // what stays charged is the safe side
	}) {
		close(done)
	}
	return done
}

func (a *partial) refund() throttle.Refund {
	r := throttle.Refund{ID: a.take.ID, At: a.taken.At, Groups: a.take.Groups, GroupAt: a.taken.GroupAt}
	for _, v := range a.taken.Verdicts {
		r.Uncharged = append(r.Uncharged, v.Refused)
	}
	return r
}

// beforeCharge returns what a grant would have said had it not charged: every cell that let the event pass
// would let the next one pass too. (Of a rule that has just changed its algorithm Used may be one too low.)
func beforeCharge(t throttle.Take, taken throttle.Taken) throttle.Taken {
	before := throttle.Taken{At: taken.At, GroupAt: taken.GroupAt, Verdicts: slices.Clone(taken.Verdicts)}
	verdict := 0
	for _, g := range t.Groups {
		for cell := range g.Plan.Cells {
			if v := &before.Verdicts[verdict]; !v.Refused {
				v.Wait = 0
				if counts(g.Plan, cell) {
					v.Used = max(0, v.Used-1)
				}
			}
			verdict++
		}
	}
	return before
}

// counts says whether a charge by p shows in what the cell has used: also where it counts the entry of another one.
func counts(p *throttle.Plan, cell int) bool {
	own := p.Cells[cell]
	if own.Charge || own.Shadow || own.Algorithm != throttle.Log || own.Mark != 0 && own.Mark != p.Mark {
		return own.Charge
	}
	return slices.ContainsFunc(p.Cells, func(c throttle.Cell) bool {
		return c.Charge && !c.Shadow && c.Algorithm == throttle.Log && c.Section == own.Section
	})
}

// merged puts the parts' answers together, in the order of t's groups.
func merged(t throttle.Take, answers []partial) (throttle.Taken, error) {
	all := throttle.Taken{Allowed: true, GroupAt: make([]time.Time, len(t.Groups))}
	verdicts := make([][]throttle.Verdict, len(t.Groups))
	for _, a := range answers {
		if a.err != nil {
			return throttle.Taken{}, a.err
		}
		all.Allowed = all.Allowed && a.taken.Allowed
		if a.taken.At.After(all.At) {
			all.At = a.taken.At
		}
		own := a.taken.Verdicts
		for i, place := range a.part {
			n := len(t.Groups[place].Plan.Cells)
			verdicts[place], own = own[:n], own[n:]
			all.GroupAt[place] = a.taken.At
			if a.taken.GroupAt != nil {
				all.GroupAt[place] = a.taken.GroupAt[i]
			}
		}
	}
	if !slices.ContainsFunc(all.GroupAt, func(at time.Time) bool { return !at.Equal(all.At) }) {
		all.GroupAt = nil
	}
	all.Verdicts = slices.Concat(verdicts...)
	return all, nil
}
