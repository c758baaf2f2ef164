package redisstore

import (
	"math/bits"
	"slices"

	"smsd/internal/throttle"
)

// plainFlags says whether p is plain, and if it is, whether it has counters. flags are all others.
func plainFlags(p *throttle.Plan, flags byte) byte {
	switch {
	case !isPlain(p, flags):
		return 0
	case slices.ContainsFunc(p.Cells, isCounter):
		return flagPlain | flagCounter
	}
	return flagPlain
}

func isCounter(c throttle.Cell) bool { return c.Algorithm == throttle.Counter }

// isPlain says whether take_plain.lua knows p: logs and counters that are enforced, each counter in a slot of its own, and
// at most one section that is charged.
func isPlain(p *throttle.Plan, flags byte) bool {
	if len(p.Cells) == 0 {
		return false
	}
	counters := map[uint32]bool{} // by slot
	for _, c := range p.Cells {
		switch {
		case c.Shadow || !isCounter(c) && c.Algorithm != throttle.Log, counters[c.Slot] && isCounter(c):
			return false
		case isCounter(c):
			counters[c.Slot] = true
		}
	}
	return bits.OnesCount8(flags&(flagEntry|flagEntry<<1|flagEntry<<2)) <= 1
}

// firstVerdicts returns what each cell of a plain plan says of a key that is not there, after the charge: what would be the
// same each time, Redis need not work out each time.
func firstVerdicts(p *throttle.Plan, flags byte) []throttle.Verdict {
	all := make([]throttle.Verdict, len(p.Cells))
	for i, c := range p.Cells {
		counted := isCounter(c) && c.Charge
		if !counted && (flags&(flagEntry<<c.Section) == 0 || c.Mark != 0 && c.Mark != p.Mark) {
			continue
		}
		all[i].Used = 1
		switch {
		case c.Limit > 1: // one more could pass
		case counted: // once it weighs nothing in the bucket after this one
			all[i].Wait = 2 * c.Window
		default:
			all[i].Wait = c.Window
		}
	}
	return all
}
