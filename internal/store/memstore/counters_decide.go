package memstore

import (
	"fmt"
	"math"
	"slices"
	"time"

	"smsd/internal/throttle"
)

// decision is a Taken on its way: beside it, the groups' states (nil: not there yet) and how many keys of
// enforced rules a charge would make.
type decision struct {
	throttle.Taken
	states []*state
	fresh  int
}

// evaluate reads every cell of every group.
func (c *Counters) evaluate(t throttle.Take, now int64) decision {
	d := decision{states: make([]*state, len(t.Groups))}
	d.At, d.Allowed = time.UnixMilli(now).UTC(), true
	d.Verdicts = make([]throttle.Verdict, 0, cells(t.Groups))
	for i, g := range t.Groups {
		s := c.keys[g.Key]
		for j := range g.Plan.Cells {
			v := s.read(&g.Plan.Cells[j], now)
			d.Verdicts = append(d.Verdicts, v)
			d.Allowed = d.Allowed && (!v.Refused || g.Plan.Shadow)
		}
		if s == nil && !g.Plan.Shadow && charges(g.Plan) {
			d.fresh++
		}
		d.states[i] = s
	}
	d.Allowed = d.Allowed || t.Force
	return d
}

func cells(groups []throttle.Group) (n int) {
	for _, g := range groups {
		n += len(g.Plan.Cells)
	}
	return n
}

func charges(p *throttle.Plan) bool {
	return slices.ContainsFunc(p.Cells, func(c throttle.Cell) bool { return c.Charge })
}

// settle writes what must be kept of keys that are not charged.
func (c *Counters) settle(s *state, p *throttle.Plan, now int64) {
	if s.unsettled(p, now) {
		s.settle(p, now)
		c.touch(s, p, now)
	}
}

// charge counts the event in every group, and brings the verdicts up to date.
func (c *Counters) charge(t throttle.Take, d decision, now int64) {
	verdicts := d.Verdicts
	for i, g := range t.Groups {
		own := verdicts[:len(g.Plan.Cells)]
		verdicts = verdicts[len(g.Plan.Cells):]
		ch := charge{plan: g.Plan, id: t.ID, now: now, verdicts: own, force: t.Force}
		s := d.states[i]
		if !ch.any() {
			c.settle(s, g.Plan, now)
			continue
		}
		if s == nil {
			if s = c.create(g, now); s == nil {
				continue
			}
		}
		ch.to(s)
		c.touch(s, g.Plan, now)
	}
}

// create makes the group's key; nil if it is a shadow's and there is no room for more of them.
func (c *Counters) create(g throttle.Group, now int64) *state {
	if g.Plan.Shadow && c.shadows >= c.maxShadows() {
		return nil
	}
	s := &state{key: g.Key, shadow: g.Plan.Shadow}
	c.touch(s, g.Plan, now)
	c.add(s)
	return s
}

// makeRoom checks that n more keys of enforced rules fit.
func (c *Counters) makeRoom(n int, now int64) error {
	if n == 0 || len(c.keys)-c.shadows+n <= c.max {
		return nil
	}
	c.sweep(math.MaxInt, now)
	if len(c.keys)-c.shadows+n <= c.max {
		return nil
	}
	return fmt.Errorf("memstore: %d keys, full: %w", len(c.keys), throttle.ErrUnavailable)
}
