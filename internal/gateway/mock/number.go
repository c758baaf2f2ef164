package mock

import (
	"strings"

	"smsd/internal/phone"
)

// numberBlock is +1 202 555 01xx without the xx. The North American plan keeps 555-0100 to 555-0199 for
// fiction (ATIS-0300115), so none of them belongs to anybody.
const numberBlock = "+120255501"

// numberKinds are the faults that numbers of the block carry, by the first x.
var numberKinds = map[byte]string{
	'0': accepted,
	'1': Reject,
	'2': Unavailable,
	'3': TimeoutAfterAccept,
	'4': Slow,
	'5': Throttle,
}

// ofNumber returns the fault that number carries by itself. That of +1 202 555 010x is to be accepted: a
// fault set for any number does not meet it.
func ofNumber(number phone.Number) (Fault, bool) {
	rest, ok := strings.CutPrefix(number.E164(), numberBlock)
	if !ok || len(rest) != 2 {
		return Fault{}, false
	}
	name, ok := numberKinds[rest[0]]
	return Fault{Kind: name, Delay: kindOf(name).usual}, ok
}
