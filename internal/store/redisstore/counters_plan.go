package redisstore

import (
	"encoding/binary"
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
	planHeadBytes = 44
	cellBytes     = 16

	burstBytes = 4

	flagShadow  = 1
	flagCharges = 4
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
	b := make([]byte, 0, planHeadBytes+(cellBytes+burstBytes)*len(p.Cells))
	b = append(b, planFlags(p))
	b = binary.BigEndian.AppendUint16(b, p.Mark)
	ttl := uint64(p.TTL.Milliseconds())
	b = append(b, byte(ttl>>32))
	b = binary.BigEndian.AppendUint32(b, uint32(ttl))
	for _, retain := range p.Retain {
		b = append32(b, retain.Milliseconds())
	}
	for _, keep := range p.Keep {
		b = append32(append32(b, int64(keep.All)), int64(keep.PerMark))
	}
	for _, cell := range p.Cells {
		b = packCell(b, cell)
	}
	return packedPlan(b)
}

// planFlags says which sections get an entry with the plan's mark; in a shadow plan each cell has its own.
func planFlags(p *throttle.Plan) byte {
	if p.Shadow {
		return flagShadow
	}
	var flags byte
	for _, c := range p.Cells {
		if c.Charge && c.Algorithm == throttle.Log {
			flags |= 2 << c.Section
		}
	}
	return flags
}

func packCell(b []byte, c throttle.Cell) []byte {
	flags := recordKind(c.Algorithm)
	if c.Charge {
		flags |= flagCharges
	}
	b = append(b, byte(c.Section), flags)
	b = append32(append32(b, c.Limit), int64(c.Window/time.Millisecond))
	b = binary.BigEndian.AppendUint16(b, c.Mark)
	b = binary.BigEndian.AppendUint32(b, c.Slot)
	if c.Algorithm == throttle.Bucket {
		b = append32(b, c.Burst)
	}
	return b
}

// append32 appends n, which the bounds of a rule keep below 2^32.
func append32(b []byte, n int64) []byte { return binary.BigEndian.AppendUint32(b, uint32(n)) }
