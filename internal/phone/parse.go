package phone

import (
	"errors"
	"strings"

	"github.com/nyaruka/phonenumbers/v2"
)

// MaxInput is the longest text that [Parse] looks at, in bytes: room for full-width digits and separators.
const MaxInput = 64

// ErrInvalid is what every fault of [Parse] unwraps to.
var ErrInvalid = errors.New("not a telephone number")

// Error says why a text is no number. It never holds the text.
type Error struct {
	// Hint says how to write the number, for the person who wrote it.
	Hint string
}

func (e *Error) Error() string { return ErrInvalid.Error() + ": " + e.Hint }

// Unwrap returns [ErrInvalid].
func (e *Error) Unwrap() error { return ErrInvalid }

func lengthHint(reason phonenumbers.ValidationResult) string {
	switch reason {
	case phonenumbers.TOO_SHORT:
		return "it is too short for its country"
	case phonenumbers.TOO_LONG:
		return "it is too long for its country"
	case phonenumbers.INVALID_COUNTRY_CODE:
		return "its country code is not in use"
	case phonenumbers.IS_POSSIBLE_LOCAL_ONLY:
		return "the area code is missing"
	}
	return "its length is wrong for its country"
}

// Parse reads raw: E.164, or with blanks, dashes, brackets, a leading 00 or full-width digits, or,
// where region (ISO 3166, two letters, any case) is given, as the people there write it.
// Errors unwrap to [ErrInvalid] and are of type [*Error].
func Parse(raw, region string) (Number, error) {
	text, err := clean(raw)
	if err != nil {
		return Number{}, err
	}
	if l, ok := readE164(text); ok {
		return Number{l.veiled()}, nil
	}
	return readAny(text, region)
}

// readAny reads what clean left, whatever it is.
func readAny(text, region string) (Number, error) {
	parsed, err := read(text, strings.ToUpper(strings.TrimSpace(region)))
	if err != nil {
		return Number{}, err
	}
	return hold(parsed)
}

// read applies the numbering plan of the number's country, or else of region.
func read(text, region string) (*phonenumbers.PhoneNumber, error) {
	if !strings.HasPrefix(text, "+") {
		if err := checkRegion(region); err != nil {
			return nil, err
		}
	}
	parsed, err := phonenumbers.Parse(text, region)
	if err != nil {
		return nil, &Error{"write it as +<country code><number>, digits only"}
	}
	if reason := phonenumbers.IsPossibleNumberWithReason(parsed); reason != phonenumbers.IS_POSSIBLE {
		return nil, &Error{lengthHint(reason)}
	}
	return parsed, nil
}

func checkRegion(region string) error {
	switch {
	case region == "":
		return &Error{"a number without a country code needs a region; write it as +<country code><number>"}
	case phonenumbers.GetCountryCodeForRegion(region) == 0:
		return &Error{"the region is not a two-letter country code (ISO 3166)"}
	}
	return nil
}

// hold makes a Number of what was read, if that is one that other countries can call, under one name.
func hold(parsed *phonenumbers.PhoneNumber) (Number, error) {
	l, ok := lineOf(parsed)
	if !ok {
		return Number{}, &Error{lengthHint(phonenumbers.TOO_LONG)}
	}
	n := Number{l.veiled()}
	if !n.isStable() {
		return Number{}, &Error{"write it without the leading zeros of its national form"}
	}
	return n, nil
}

// isStable reports whether n is read as itself. libphonenumber takes some numbers of no known range with their
// national prefix and all (+49 0015 ...), and without it when it reads the result again: then one line has many
// spellings, and each would be counted apart. In known ranges that does not happen, and a second reading would
// cost as much as the first.
func (n Number) isStable() bool {
	switch n.Type() {
	case Mobile, FixedLine, FixedOrMobile:
		return true
	}
	again, err := phonenumbers.Parse(n.E164(), "")
	return err == nil && phonenumbers.Format(again, phonenumbers.E164) == n.E164()
}

// MustParse is [Parse] of an international number for tests and constants; it panics on a fault.
func MustParse(e164 string) Number {
	n, err := Parse(e164, "")
	if err != nil {
		panic(err)
	}
	return n
}
