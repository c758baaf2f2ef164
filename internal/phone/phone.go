// Package phone reads telephone numbers as people write them and holds them as E.164.
//
// [Parse] is the only way in; everything behind it sees a [Number]. A Number prints masked
// (+86 138****8000) under every verb; [Number.E164] is the only way to the digits.
//
// What is E.164 already, as most numbers are, is read by an automaton of its region's numbering plan, in one look at each digit;
// anything else is left to package phonenumbers, from whose metadata those plans are made.
package phone

import "strconv"

// Number is one telephone number that is possible by its country's numbering plan. The zero value
// is no number. Values are comparable with ==.
type Number struct {
	// Not in clear: fmt reads unexported fields of nested values past every method.
	veiled block
}

// IsZero reports whether there is no number.
func (n Number) IsZero() bool { return n == Number{} }

// E164 returns the digits with a leading +, or "" for the zero Number.
func (n Number) E164() string {
	if n.IsZero() {
		return ""
	}
	return n.veiled.unveiled().e164()
}

func (b block) e164() string {
	var room [1 + maxDigits]byte
	return string(b.appendE164(room[:0]))
}

func (b block) appendE164(text []byte) []byte {
	return strconv.AppendUint(append(text, '+'), b.digits(), 10)
}

// Country returns the ISO 3166 code of the number's country, [World] for numbers of no country
// (satellite, international freephone), or "" for the zero Number.
func (n Number) Country() string {
	if n.IsZero() {
		return ""
	}
	return n.veiled.unveiled().country()
}

// Type returns what kind of line the number is; [Unknown] for the zero Number.
func (n Number) Type() Type {
	if n.IsZero() {
		return Unknown
	}
	return n.veiled.unveiled().typ()
}

// Prefix returns the number without its last four digits, the block that a carrier leases out, or "" for the zero Number.
func (n Number) Prefix() string { return PrefixOf(n.E164()) }

// PrefixOf is [Number.Prefix] for who has the number's [Number.E164] already: it costs nothing.
func PrefixOf(e164 string) string { return e164[:max(0, len(e164)-4)] }
