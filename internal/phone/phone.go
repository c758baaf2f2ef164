// Package phone reads telephone numbers as people write them and holds them as E.164.
//
// [Parse] is the only way in; everything behind it sees a [Number]. A Number prints masked
// (+86 138****8000) under every verb; [Number.E164] is the only way to the digits.
package phone

import (
	"strings"
	"unique"
)

// Number is one telephone number that is possible by its country's numbering plan. The zero value
// is no number. Values are comparable with ==.
type Number struct {
	// A handle of a string for the same reason as in package secret. (Of a struct it would not do:
	// fmt follows a pointer to a struct.) The string is a [layout].
	h unique.Handle[string]
}

// IsZero reports whether there is no number.
func (n Number) IsZero() bool { return n == Number{} }

// E164 returns the digits with a leading +, or "" for the zero Number.
func (n Number) E164() string {
	if n.IsZero() {
		return ""
	}
	return n.h.Value()[atE164:]
}

// Country returns the ISO 3166 code of the number's country, [World] for numbers of no country
// (satellite, international freephone), or "" for the zero Number.
func (n Number) Country() string {
	if n.IsZero() {
		return ""
	}
	return strings.TrimRight(n.h.Value()[atCountry:atE164], " ")
}

// Type returns what kind of line the number is; [Unknown] for the zero Number.
func (n Number) Type() Type {
	if n.IsZero() {
		return Unknown
	}
	return Type(n.h.Value()[atType])
}

// calling returns the country calling code, without the +.
func (n Number) calling() string {
	return n.E164()[1 : 1+int(n.h.Value()[atCalling])]
}

// Prefix returns the number without its last four digits: the block that a carrier leases out.
func (n Number) Prefix() string {
	e164 := n.E164()
	return e164[:max(0, len(e164)-4)]
}
