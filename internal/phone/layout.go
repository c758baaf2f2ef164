package phone

import (
	"strconv"
	"strings"

	"github.com/nyaruka/phonenumbers/v2"
)

// maxDigits is how many digits an international number has at most (ITU-T E.164, section 6.2.1). Some
// countries' plans hold longer ones, for calls within the country.
const maxDigits = 15

// lineOf returns what is known of n; ok is false if it is too long to be called from abroad.
func lineOf(n *phonenumbers.PhoneNumber) (l line, ok bool) {
	e164 := phonenumbers.Format(n, phonenumbers.E164)
	if len(e164) > 1+maxDigits {
		return line{}, false
	}
	digits, err := strconv.ParseUint(e164[1:], 10, 64)
	return line{digits, countryOf(n), len(strconv.Itoa(int(n.GetCountryCode()))), typeOf(n)}, err == nil
}

// countryOf falls back to the calling code's main region, so that a number newer than the
// metadata still belongs somewhere.
func countryOf(n *phonenumbers.PhoneNumber) string {
	if region := phonenumbers.GetRegionCodeForNumber(n); region != "" {
		return region
	}
	return phonenumbers.GetRegionCodeForCountryCode(int(n.GetCountryCode()))
}

// A packed number is the type, the length of the calling code, the country, each of fixed width, and the
// E.164 form.
const (
	atType    = 0
	atCalling = 1
	atCountry = 2
	atE164    = 5
)

// Pack returns everything that is known of n in a text of its own, digits in clear: to be sealed, and
// read by [Unpack]. The zero Number packs to "".
func (n Number) Pack() string {
	if n.IsZero() {
		return ""
	}
	var room [atE164 + 1 + maxDigits]byte
	b := n.veiled.unveiled()
	text := append(room[:0], byte(b.typ()), byte(b.calling()))
	text = append(append(text, b.country()...), "   "...)[:atE164]
	return string(b.appendE164(text))
}

// Unpack reads what [Number.Pack] wrote, without the numbering plan, which [Parse] spends most of its
// time on. Errors unwrap to [ErrInvalid].
func Unpack(packed string) (Number, error) {
	if !isLayout(packed) {
		return Number{}, &Error{"it is no packed number"}
	}
	digits, err := strconv.ParseUint(packed[atE164+1:], 10, 64)
	if err != nil {
		return Number{}, &Error{"it is no packed number"}
	}
	country := strings.TrimRight(packed[atCountry:atE164], " ")
	return Number{line{digits, country, int(packed[atCalling]), Type(packed[atType])}.veiled()}, nil
}

// isLayout checks only what the methods of a Number rely on.
func isLayout(s string) bool {
	if len(s) < atE164+2 || len(s) > atE164+1+maxDigits || int(s[atType]) >= len(typeNames) || s[atE164] != '+' {
		return false
	}
	digits := s[atE164+1:]
	return digits[0] != '0' && 1 <= s[atCalling] && int(s[atCalling]) < len(digits)
}
