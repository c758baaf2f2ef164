package memstore

import (
	"slices"

	"smsd/internal/throttle"
)

// joined returns the entries of an enforced cell, with the mark that they carry (0: all): those of the section s, and of
// the shadow section beside it what the cell's rule charged in Shadow mode and no enforced rule beside it did.
func (s section) joined(shadow section, c *throttle.Cell, now int64) (section, uint16) {
	left := shadow.leftover(c.Own, s)
	if len(left) == 0 {
		return s, c.Mark
	}
	all := make(section, 0, len(s)+len(left))
	for _, e := range s {
		for len(left) > 0 && min(left[0].at, now) < min(e.at, now) {
			all, left = append(all, left[0]), left[1:]
		}
		if c.Mark == 0 || e.mark == c.Mark {
			all = append(all, e)
		}
	}
	return append(all, left...), 0
}

// leftover returns the entries of s with the mark whose reservations have none in other.
func (s section) leftover(mark uint16, other section) (left section) {
	var known map[uint32]bool
	for _, e := range s {
		if e.mark != mark {
			continue
		}
		if known == nil {
			known = other.ids()
		}
		if !known[e.id] {
			left = append(left, e)
		}
	}
	return left
}

func (s section) ids() map[uint32]bool {
	all := make(map[uint32]bool, len(s))
	for _, e := range s {
		all[e.id] = true
	}
	return all
}

// enforces says that some cell of p is enforced.
func enforces(p *throttle.Plan) bool {
	return slices.ContainsFunc(p.Cells, func(c throttle.Cell) bool { return !c.Shadow })
}

// binds says that some cell that p charges is enforced.
func binds(p *throttle.Plan) bool {
	return slices.ContainsFunc(p.Cells, func(c throttle.Cell) bool { return !c.Shadow && c.Charge })
}
