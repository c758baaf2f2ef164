package storetest

import (
	"time"

	"smsd/internal/throttle"
)

// Keys of two subjects; those of one tag are decided together.
var (
	phoneKey = throttle.Key{Tag: "AAAAAAAAAAAAAAAAAAAAAA", Name: "p"}
	phoneNet = throttle.Key{Tag: phoneKey.Tag, Name: "pn+AbC-_0123456"}
	otherKey = throttle.Key{Tag: "B_-BBBBBBBBBBBBBBBBBBB", Name: "p"}
)

// Marks of two scenes.
const (
	markA uint16 = 0xA001
	markB uint16 = 0x00B2
)

// logCell is a Log over the section of sends; counterCell is a Counter with its record.
func logCell(limit int64, window time.Duration) throttle.Cell {
	return throttle.Cell{Algorithm: throttle.Log, Limit: limit, Window: window, Slot: 1, Own: own(1), Charge: true}
}

func counterCell(limit int64, window time.Duration) throttle.Cell {
	c := logCell(limit, window)
	c.Algorithm = throttle.Counter
	return c
}

func fixedCell(limit int64, window time.Duration) throttle.Cell {
	c := logCell(limit, window)
	c.Algorithm = throttle.Fixed
	return c
}

// bucketCell is a Bucket that takes limit events at once.
func bucketCell(limit int64, window time.Duration) throttle.Cell {
	c := logCell(limit, window)
	c.Algorithm, c.Burst = throttle.Bucket, limit
	return c
}

func bursting(c throttle.Cell, burst int64) throttle.Cell {
	c.Burst = burst
	return c
}

func marked(c throttle.Cell, mark uint16) throttle.Cell {
	c.Mark = mark
	return c
}

// slotted is c as another rule's: each has a slot and a mark of its own.
func slotted(c throttle.Cell, slot uint32) throttle.Cell {
	c.Slot, c.Own = slot, own(slot)
	return c
}

// own is the mark of its own of the rule with that slot: above those of the scenes.
func own(slot uint32) uint16 { return 0x5100 + uint16(slot) }

// shaded is c in shadow mode.
func shaded(c throttle.Cell) throttle.Cell {
	c.Shadow = true
	return c
}

func on(e throttle.Event, c throttle.Cell) throttle.Cell {
	c.Section = e
	return c
}

func asked(c throttle.Cell) throttle.Cell {
	c.Charge = false
	return c
}

// plan makes a plan of scene A for cells that are all the rules of their kind of key.
func plan(cells ...throttle.Cell) *throttle.Plan {
	p := &throttle.Plan{Cells: cells, Mark: markA}
	for _, c := range cells {
		p.TTL = max(p.TTL, matters(c))
		p.RetainShadow[c.Section] = max(p.RetainShadow[c.Section], c.Window)
		if c.Algorithm != throttle.Log {
			continue
		}
		p.KeepShadow[c.Section] = max(p.KeepShadow[c.Section], int(c.Limit))
		if c.Shadow {
			continue
		}
		p.Retain[c.Section] = max(p.Retain[c.Section], c.Window)
		keep := &p.Keep[c.Section]
		if c.Mark == 0 {
			keep.All = max(keep.All, int(c.Limit))
		} else {
			keep.PerMark = max(keep.PerMark, int(c.Limit))
		}
	}
	return p
}

// matters returns how long after an event a cell may still count it.
func matters(c throttle.Cell) time.Duration {
	switch c.Algorithm {
	case throttle.Counter:
		return 2 * c.Window
	case throttle.Bucket:
		return c.Window + c.Window*time.Duration(c.Burst)/time.Duration(c.Limit) + time.Millisecond
	}
	return c.Window
}

// planB is plan for an event of scene B.
func planB(cells ...throttle.Cell) *throttle.Plan {
	p := plan(cells...)
	p.Mark = markB
	return p
}

// group is one key with its plan.
func group(k throttle.Key, p *throttle.Plan) throttle.Group { return throttle.Group{Key: k, Plan: p} }
