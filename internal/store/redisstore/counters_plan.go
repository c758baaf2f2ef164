package redisstore

import (
	"encoding/binary"
	"strconv"
	"time"

	"smsd/internal/throttle"
)

// packedPlan is a plan as the scripts read it; counter_value.lua has the layout.
type packedPlan struct {
	text  string
	first []throttle.Verdict // of a key that is not there, after a charge; nil if the scripts say it themselves
}

// packed returns p packed, made once for each plan.
func packed(p *throttle.Plan) *packedPlan {
	own, ok := p.Encoded(pack).(*packedPlan)
	if !ok { // another store has encoded it before; only tests use two
		own = pack(p).(*packedPlan)
	}
	return own
}

const (
	planHeadBytes   = 53
	planShadowBytes = 24
	cellBytes       = 18

	burstBytes = 4

	// Of a plan.
	flagShadow  = 1
	flagEntry   = 2 // for each section from the first on, 2, 4 and 8
	flagBinds   = 16
	flagPlain   = 32
	flagCounter = 64
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
	b := make([]byte, 0, planHeadBytes+planShadowBytes+(cellBytes+burstBytes)*len(p.Cells))
	flags := planFlags(p)
	b = append(b, flags)
	b = binary.BigEndian.AppendUint16(b, p.Mark)
	b = appendTTL(b, p.TTL)
	for _, retain := range p.Retain {
		b = append32(b, retain.Milliseconds())
	}
	for _, keep := range p.Keep {
		b = append32(append32(b, int64(keep.All)), int64(keep.PerMark))
	}
	if flags&flagShadow != 0 {
		b = packShadow(b, p)
	}
	for _, cell := range p.Cells {
		b = packCell(b, cell)
	}
	own := &packedPlan{text: string(b)}
	if flags&flagPlain != 0 {
		own.first = firstVerdicts(p, flags)
	}
	return own
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

// planFlags says whether there are cells in shadow, whether enforced ones charge, which sections so get an entry with
// the plan's mark, and whether the plan is plain.
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
	return flags | plainFlags(p, flags)
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

// ttlBytes holds a time within the bounds of a rule, in ms, as text, and a zero behind it.
const ttlBytes = 14

func appendTTL(b []byte, d time.Duration) []byte {
	end := len(b) + ttlBytes
	b = strconv.AppendInt(b, d.Milliseconds(), 10)
	return append(b, make([]byte, end-len(b))...)
}

// append32 appends n, which the bounds of a rule keep below 2^32.
func append32(b []byte, n int64) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }
