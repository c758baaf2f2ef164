package phone

import (
	"fmt"
	"strconv"
	"strings"
	"unique"

	"github.com/nyaruka/phonenumbers/v2"
)

// maxDigits is how many digits an international number has at most (ITU-T E.164, section 6.2.1). Some
// countries' plans hold longer ones, for calls within the country.
const maxDigits = 15

// A layout is a number and what is known of it in one string: the type, the length of the calling
// code, the country, each of fixed width, and the E.164 form.
const (
	atType    = 0
	atCalling = 1
	atCountry = 2
	atE164    = 5
)

func layout(n *phonenumbers.PhoneNumber) string {
	calling := strconv.Itoa(int(n.GetCountryCode()))
	return string([]byte{byte(typeOf(n)), byte(len(calling))}) +
		fmt.Sprintf("%-3s", countryOf(n)) +
		phonenumbers.Format(n, phonenumbers.E164)
}

// countryOf falls back to the calling code's main region, so that a number newer than the
// metadata still belongs somewhere.
func countryOf(n *phonenumbers.PhoneNumber) string {
	if region := phonenumbers.GetRegionCodeForNumber(n); region != "" {
		return region
	}
	return phonenumbers.GetRegionCodeForCountryCode(int(n.GetCountryCode()))
}

// Pack returns everything that is known of n in a text of its own, digits in clear: to be sealed, and
// read by [Unpack]. The zero Number packs to "".
func (n Number) Pack() string {
	if n.IsZero() {
		return ""
	}
	return n.h.Value()
}

// Unpack reads what [Number.Pack] wrote, without the numbering plan, which [Parse] spends most of its
// time on. Errors unwrap to [ErrInvalid].
func Unpack(packed string) (Number, error) {
	if !isLayout(packed) {
		return Number{}, &Error{"it is no packed number"}
	}
	return Number{unique.Make(packed)}, nil
}

// isLayout checks only what the methods of a Number rely on.
func isLayout(s string) bool {
	if len(s) < atE164+2 || len(s) > atE164+1+maxDigits || int(s[atType]) >= len(typeNames) || s[atE164] != '+' {
		return false
	}
	digits := s[atE164+1:]
	return strings.Trim(digits, "0123456789") == "" && 1 <= s[atCalling] && int(s[atCalling]) < len(digits)
}
