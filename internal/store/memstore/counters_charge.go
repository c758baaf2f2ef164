package memstore

import (
	"slices"

	"smsd/internal/throttle"
)

// charge is one event, to be counted in one key.
type charge struct {
	plan     *throttle.Plan
	id       uint32
	now      int64
	verdicts []throttle.Verdict // of the plan's cells, before
	force    bool
}

// charges says that the cell in place i is charged.
func (c *charge) charges(i int) bool {
	cell := &c.plan.Cells[i]
	return cell.Charge && (c.force || !cell.Shadow || !c.verdicts[i].Refused)
}

// any says that some cell is charged.
func (c *charge) any() bool {
	for i := range c.plan.Cells {
		if c.charges(i) {
			return true
		}
	}
	return false
}

// to counts the event in s, and brings the verdicts up to date.
func (c *charge) to(s *state) {
	s.settle(c.plan, c.now)
	s.tidy(c.plan, c.now)
	c.count(s)
	c.log(s)
	for i := range c.plan.Cells {
		v := s.read(&c.plan.Cells[i], c.now)
		c.verdicts[i].Used, c.verdicts[i].Wait = v.Used, v.Wait
	}
}

// count adds one to the record of each charged cell that is no Log. What has no live one begins with what the log
// knows.
func (c *charge) count(s *state) {
	for i := range c.plan.Cells {
		cell := &c.plan.Cells[i]
		if cell.Algorithm == throttle.Log || !c.charges(i) {
			continue
		}
		r, live := s.live(cell, c.now)
		if !live {
			r = s.initial(cell, c.now)
		}
		s.put(r.plus(numbersOf(cell, r), c.now))
	}
	s.records = slices.Delete(s.records, 0, max(0, len(s.records)-maxRecords))
}

// log adds entries for the charged Log cells: one to a section for all that are enforced, and one to its shadow
// section for each that is in shadow. Then it drops what rules can't read any more.
func (c *charge) log(s *state) {
	var entered, shaded [throttle.Events]bool
	for i := range c.plan.Cells {
		cell := &c.plan.Cells[i]
		e := cell.Section
		switch {
		case cell.Algorithm != throttle.Log || !c.charges(i):
		case cell.Shadow:
			shaded[e] = true
			s.shadows[e] = append(s.shadows[e], entry{at: c.now, id: c.id, mark: cell.Own})
		case !entered[e]:
			entered[e] = true
			s.sections[e] = append(s.sections[e], entry{at: c.now, id: c.id, mark: c.plan.Mark})
		}
	}
	c.trim(s, entered, shaded)
}

func (c *charge) trim(s *state, entered, shaded [throttle.Events]bool) {
	for e := range s.sections {
		if entered[e] {
			s.sections[e] = s.sections[e].trimmed(c.now-c.plan.Retain[e].Milliseconds(), c.plan.Keep[e])
		}
		if shaded[e] {
			keep := throttle.Keep{PerMark: c.plan.KeepShadow[e]}
			s.shadows[e] = s.shadows[e].trimmed(c.now-c.plan.RetainShadow[e].Milliseconds(), keep)
		}
	}
}

// trimmed returns s without the entries that are not later than until and, if it is too long, compacted.
func (s section) trimmed(until int64, keep throttle.Keep) section {
	s = s.dropped(until)
	if len(s) > throttle.MaxEntries {
		s = s.compacted(keep)
	}
	return s
}
