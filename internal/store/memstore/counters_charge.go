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
	return c.plan.Cells[i].Charge && (c.force || !c.plan.Shadow || !c.verdicts[i].Refused)
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

// count adds one to the record of each charged cell that is no Log. Dead records are gone by now; what has
// none begins with what the log knows.
func (c *charge) count(s *state) {
	for i := range c.plan.Cells {
		cell := &c.plan.Cells[i]
		if cell.Algorithm == throttle.Log || !c.charges(i) {
			continue
		}
		if r, live := s.live(cell, c.now); live {
			s.records[s.find(cell.Slot)] = r.plus(numbersOf(cell, r), c.now)
			continue
		}
		r := s.initial(cell, c.now)
		s.records = append(s.records, r.plus(numbersOf(cell, r), c.now))
	}
	s.records = slices.Delete(s.records, 0, max(0, len(s.records)-maxRecords))
}

// log adds entries to the sections of charged Log cells: one for each cell of a Shadow plan, one for
// all cells of a section otherwise. Then it drops what rules can't read any more.
func (c *charge) log(s *state) {
	var entered [throttle.Events]bool
	for i := range c.plan.Cells {
		cell := &c.plan.Cells[i]
		if cell.Algorithm != throttle.Log || !c.charges(i) || entered[cell.Section] && !c.plan.Shadow {
			continue
		}
		e := entry{at: c.now, id: c.id, mark: c.plan.Mark}
		if c.plan.Shadow {
			e.mark = cell.Mark
		}
		entered[cell.Section] = true
		s.sections[cell.Section] = append(s.sections[cell.Section], e)
	}
	for i := range s.sections {
		if entered[i] {
			s.sections[i] = c.trimmed(s.sections[i], throttle.Event(i))
		}
	}
}

// trimmed returns a section's log without what is too old and, if it is too long, compacted.
func (c *charge) trimmed(log section, e throttle.Event) section {
	log = log.dropped(c.now - c.plan.Retain[e].Milliseconds())
	if len(log) > throttle.MaxEntries {
		log = log.compacted(c.plan.Keep[e])
	}
	return log
}
