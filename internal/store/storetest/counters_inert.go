package storetest

import (
	"context"
	"testing"

	"smsd/internal/throttle"
)

// Inert does the same random operations to with and, without the rules in shadow, to without, both empty at first and
// reading clock, and fails at the first answer of an enforced rule in which they differ. No rule changes its mode.
// Afterwards the enforced parts of both must be the same, to the byte; see [ShadowSlot].
func Inert(t *testing.T, ops int, seed uint64, with, without throttle.Store, clock *ManualClock) {
	t.Helper()
	NarrowDifferential(t, ops, seed, enforcedAnswers{with}, enforcedRules{without}, clock, OneMode)
}

// ShadowSlot says that a record of the slot belongs to a rule in shadow of [Inert].
func ShadowSlot(slot uint32) bool { return shadowRule(int(slot >> 8 & 0xFF)) }

// shadowRule says that the rule of a name is in shadow, where none changes its mode.
func shadowRule(name int) bool { return name%2 == 1 }

// enforcedAnswers is a store that keeps to itself what it knows of cells in shadow.
type enforcedAnswers struct{ throttle.Store }

func (s enforcedAnswers) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	taken, err := s.Store.Take(ctx, t)
	return silenced(t.Groups, taken), err
}

func (s enforcedAnswers) Peek(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	taken, err := s.Store.Peek(ctx, t)
	return silenced(t.Groups, taken), err
}

func silenced(groups []throttle.Group, taken throttle.Taken) throttle.Taken {
	n := 0
	for _, g := range groups {
		for _, c := range g.Plan.Cells {
			if n < len(taken.Verdicts) && c.Shadow {
				taken.Verdicts[n] = throttle.Verdict{}
			}
			n++
		}
	}
	return taken
}

// enforcedRules is a store that never hears of cells in shadow.
type enforcedRules struct{ throttle.Store }

func (s enforcedRules) Take(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	own := t
	own.Groups = enforced(t.Groups)
	taken, err := s.Store.Take(ctx, own)
	return widened(t.Groups, taken), err
}

func (s enforcedRules) Peek(ctx context.Context, t throttle.Take) (throttle.Taken, error) {
	own := t
	own.Groups = enforced(t.Groups)
	taken, err := s.Store.Peek(ctx, own)
	return widened(t.Groups, taken), err
}

func (s enforcedRules) Refund(ctx context.Context, r throttle.Refund) error {
	r.Groups, r.Uncharged = enforced(r.Groups), nil
	return s.Store.Refund(ctx, r)
}

// enforced returns the groups without cells in shadow, and without those that have no others.
func enforced(groups []throttle.Group) (all []throttle.Group) {
	for _, g := range groups {
		p := &throttle.Plan{Mark: g.Plan.Mark, Retain: g.Plan.Retain, Keep: g.Plan.Keep, TTL: g.Plan.TTL}
		for _, c := range g.Plan.Cells {
			if !c.Shadow {
				p.Cells = append(p.Cells, c)
			}
		}
		if p.Cells != nil {
			all = append(all, throttle.Group{Key: g.Key, Plan: p})
		}
	}
	return all
}

// widened puts empty verdicts where the cells in shadow would stand.
func widened(groups []throttle.Group, taken throttle.Taken) throttle.Taken {
	own := taken.Verdicts
	taken.Verdicts = []throttle.Verdict{}
	for _, g := range groups {
		for _, c := range g.Plan.Cells {
			var v throttle.Verdict
			if !c.Shadow {
				v, own = own[0], own[1:]
			}
			taken.Verdicts = append(taken.Verdicts, v)
		}
	}
	return taken
}
