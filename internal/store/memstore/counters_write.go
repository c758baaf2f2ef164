package memstore

import (
	"slices"

	"smsd/internal/throttle"
)

// unsettled says that reading p had to replace something that must be kept, even by a refusal: a record
// of other numbers, or an instant in the future.
func (s *state) unsettled(p *throttle.Plan, now int64) bool {
	if s == nil {
		return false
	}
	for i := range p.Cells {
		c := &p.Cells[i]
		if !c.Shadow && s.sections[c.Section].newest() > now || s.shadows[c.Section].newest() > now || s.unsettledRecord(c, now) {
			return true
		}
	}
	return false
}

func (s *state) unsettledRecord(c *throttle.Cell, now int64) bool {
	i := s.find(c.Slot)
	if i < 0 {
		return false
	}
	r := s.records[i]
	_, live := r.standing(now)
	return r.start > now || live && r.differs(numbersOf(c, r))
}

// settle replaces future instants that p reads by now, and keeps records by their cells' numbers.
func (s *state) settle(p *throttle.Plan, now int64) {
	for i := range p.Cells {
		c := &p.Cells[i]
		if !c.Shadow {
			s.sections[c.Section].clamp(now)
		}
		s.shadows[c.Section].clamp(now)
		j := s.find(c.Slot)
		if j < 0 {
			continue
		}
		r := s.records[j].clamped(now)
		if standing, live := r.standing(now); live && (r.start < s.records[j].start || r.differs(numbersOf(c, r))) {
			r = standing.as(numbersOf(c, r), now)
		}
		s.records[j] = r
	}
}

// tidy drops what no rule can read any more; a charge of rules in shadow alone only what is theirs for sure.
func (s *state) tidy(p *throttle.Plan, now int64) {
	s.shadows = tidied(s.shadows, now-p.TTL.Milliseconds())
	if !binds(p) {
		return
	}
	s.sections = tidied(s.sections, now-p.TTL.Milliseconds())
	s.records = slices.DeleteFunc(s.records, func(r record) bool {
		_, live := r.standing(now)
		return !live
	})
}

// tidied returns sections with those emptied that have no entry later than until.
func tidied(sections [throttle.Events]section, until int64) [throttle.Events]section {
	for i := range sections {
		if sections[i].newest() <= until {
			sections[i] = nil
		}
	}
	return sections
}

// refund gives back what charge counted; uncharged are the cells that it left out.
func (s *state) refund(p *throttle.Plan, id uint32, at int64, uncharged []bool) {
	for i := range p.Cells {
		c := &p.Cells[i]
		if !c.Charge {
			continue
		}
		if c.Algorithm == throttle.Log {
			s.refundLog(c, id)
			continue
		}
		if j := s.find(c.Slot); j >= 0 && (uncharged == nil || !uncharged[i]) {
			s.records[j] = s.records[j].minus(at)
		}
	}
}

func (s *state) refundLog(c *throttle.Cell, id uint32) {
	if c.Shadow {
		s.shadows[c.Section] = s.shadows[c.Section].without(id)
		return
	}
	s.sections[c.Section] = s.sections[c.Section].without(id)
}
