package memstore

import (
	"fmt"
	"math"
	"time"

	"smsd/internal/throttle"
)

// decision is a Taken on its way: beside it, the groups' states (nil: not there yet) and how many keys more a charge
// would have enforced rules need.
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
			d.Allowed = d.Allowed && (!v.Refused || g.Plan.Cells[j].Shadow)
		}
		if (s == nil || s.shadow) && binds(g.Plan) {
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

// settle writes what must be kept of keys that are not charged.
func (c *Counters) settle(s *state, p *throttle.Plan, now int64) {
	if s.unsettled(p, now) {
		s.settle(p, now)
		c.touch(s, p, now, !s.shadow && enforces(p))
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
		c.touch(s, g.Plan, now, binds(g.Plan))
	}
}

// create makes the group's key; nil if only rules in shadow need it and there is no room for more such keys.
func (c *Counters) create(g throttle.Group, now int64) *state {
	bound := binds(g.Plan)
	if !bound && c.shadows >= c.maxShadows() {
		return nil
	}
	s := &state{key: g.Key, shadow: !bound}
	c.touch(s, g.Plan, now, bound)
	c.add(s)
	return s
}

// decide evaluates t, and fails if there is no room for what it would charge. What has expired makes room first; then
// the states are found again, since some may be among that.
func (c *Counters) decide(t throttle.Take, now int64) (decision, error) {
	d := c.evaluate(t, now)
	if !d.Allowed || c.fit(d.fresh) {
		return d, nil
	}
	c.sweep(math.MaxInt, now)
	d = c.evaluate(t, now)
	if d.Allowed && !c.fit(d.fresh) {
		return d, fmt.Errorf("memstore: %d keys, full: %w", len(c.keys), throttle.ErrUnavailable)
	}
	return d, nil
}

// fit says that there is room for n more keys that enforced rules need.
func (c *Counters) fit(n int) bool { return n == 0 || len(c.keys)-c.shadows+n <= c.max }
