package redisstore

import (
	"encoding/binary"
	"slices"
	"time"

	"smsd/internal/throttle"
)

// packedPlan is a plan as the scripts read it; counter_value.lua has the layout.
type packedPlan string

// encoded returns p packed, made once for each plan.
func encoded(p *throttle.Plan) string {
	packed, ok := p.Encoded(pack).(packedPlan)
	if !ok { // another store has encoded it before; only tests use two
		packed = pack(p).(packedPlan)
	}
	return string(packed)
}

const (
	planHeadBytes   = 44
	planShadowBytes = 24
	cellBytes       = 18

	burstBytes = 4

	answerBytes = 6

	// Of a plan.
	flagShadow   = 1
	flagEntry    = 2 // for each section from the first on, 2, 4 and 8
	flagBinds    = 16
	flagAnswered = 32
	// Of a cell.
	flagCharges = 4

	// shadowSections is where the sections of cells in shadow stand.
	shadowSections = throttle.Events
)

// recordKind is what a record of the algorithm is called in the scripts; 0 for a log, which has none.
func recordKind(a throttle.Algorithm) byte {
	switch a {
	case throttle.Counter:
		return 1
	case throttle.Bucket:
		return 2
	case throttle.Fixed:
		return 3
	}
	return 0
}

func pack(p *throttle.Plan) any {
	b := make([]byte, 0, planHeadBytes+planShadowBytes+(answerBytes+cellBytes+burstBytes)*len(p.Cells))
	flags := planFlags(p)
	b = append(b, flags)
	b = binary.BigEndian.AppendUint16(b, p.Mark)
	b = append40(b, p.TTL.Milliseconds())
	for _, retain := range p.Retain {
		b = append32(b, retain.Milliseconds())
	}
	for _, keep := range p.Keep {
		b = append32(append32(b, int64(keep.All)), int64(keep.PerMark))
	}
	if flags&flagShadow != 0 {
		b = packShadow(b, p)
	}
	if flags&flagAnswered != 0 {
		b = packAnswers(b, p, flags)
	}
	for _, cell := range p.Cells {
		b = packCell(b, cell)
	}
	return packedPlan(b)
}

// packShadow appends what a plan says of its shadow sections, if it has cells that charge them.
func packShadow(b []byte, p *throttle.Plan) []byte {
	for _, retain := range p.RetainShadow {
		b = append32(b, retain.Milliseconds())
	}
	for _, keep := range p.KeepShadow {
		b = append32(b, int64(keep))
	}
	return b
}

// maxAnswers is how many cells a plan with answers may have: Redis unpacks them in one go, onto a stack that holds no more
// than some thousands.
const maxAnswers = 256

// isAnswered says whether a plan brings the answers of a key that is not there: what would be the same each time, Redis need
// not work out each time.
func isAnswered(p *throttle.Plan) bool {
	return len(p.Cells) <= maxAnswers && !slices.ContainsFunc(p.Cells, func(c throttle.Cell) bool {
		return c.Shadow || c.Algorithm != throttle.Log
	})
}

// packAnswers appends them: what each cell has used after the charge, and its wait as the scripts answer it.
func packAnswers(b []byte, p *throttle.Plan, flags byte) []byte {
	for _, c := range p.Cells {
		var used, wait int64
		if flags&(flagEntry<<c.Section) != 0 && (c.Mark == 0 || c.Mark == p.Mark) {
			used = 1
		}
		if used == c.Limit {
			wait = 2 * c.Window.Milliseconds() // and none refuses
		}
		b = append40(append(b, byte(used)), wait)
	}
	return b
}

// planFlags says whether there are cells in shadow, whether enforced ones charge, which sections so get an entry with
// the plan's mark, and whether the plan has answers.
func planFlags(p *throttle.Plan) (flags byte) {
	for _, c := range p.Cells {
		switch {
		case c.Shadow:
			flags |= flagShadow
		case c.Charge && c.Algorithm == throttle.Log:
			flags |= flagBinds | flagEntry<<c.Section
		case c.Charge:
			flags |= flagBinds
		}
	}
	if isAnswered(p) {
		flags |= flagAnswered
	}
	return flags
}

func packCell(b []byte, c throttle.Cell) []byte {
	flags := recordKind(c.Algorithm)
	if c.Charge {
		flags |= flagCharges
	}
	section, mark := byte(c.Section), c.Mark
	if c.Shadow {
		section, mark = section+shadowSections, c.Own
	}
	b = append(b, section, flags)
	b = append32(append32(b, c.Limit), int64(c.Window/time.Millisecond))
	b = binary.BigEndian.AppendUint16(b, mark)
	b = binary.BigEndian.AppendUint32(b, c.Slot)
	b = binary.BigEndian.AppendUint16(b, c.Own)
	if c.Algorithm == throttle.Bucket {
		b = append32(b, c.Burst)
	}
	return b
}

// append40 appends n, a time within the bounds of a rule.
func append40(b []byte, n int64) []byte { return append32(append(b, byte(n>>32)), n) }

// append32 appends n, which the bounds of a rule keep below 2^32.
func append32(b []byte, n int64) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }
