// Package phone reads telephone numbers as people write them and holds them as E.164.
//
// [Parse] is the only way in; everything behind it sees a [Number]. A Number prints masked
// (+86 138****8000) under every verb; [Number.E164] is the only way to the digits.
package phone

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
	"unique"

	"github.com/nyaruka/phonenumbers/v2"
)

// MaxInput is the longest text that [Parse] looks at, in bytes: room for full-width digits and separators.
const MaxInput = 64

// maxDigits is how many digits an international number has at most (ITU-T E.164, section 6.2.1). Some
// countries' plans hold longer ones, for calls within the country.
const maxDigits = 15

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

// Number is one telephone number that is possible by its country's numbering plan. The zero value
// is no number. Values are comparable with ==.
type Number struct {
	// A handle of a string for the same reason as in package secret. (Of a struct it would not do:
	// fmt follows a pointer to a struct.) The string is a [layout].
	h unique.Handle[string]
}

// Parse reads raw: E.164, or with blanks, dashes, brackets, a leading 00 or full-width digits, or,
// where region (ISO 3166, two letters, any case) is given, as the people there write it.
// Errors unwrap to [ErrInvalid] and are of type [*Error].
func Parse(raw, region string) (Number, error) {
	text, err := clean(raw)
	if err != nil {
		return Number{}, err
	}
	region = strings.ToUpper(strings.TrimSpace(region))
	if !strings.HasPrefix(text, "+") {
		if region == "" {
			return Number{}, &Error{"a number without a country code needs a region; write it as +<country code><number>"}
		}
		if phonenumbers.GetCountryCodeForRegion(region) == 0 {
			return Number{}, &Error{"the region is not a two-letter country code (ISO 3166)"}
		}
	}
	parsed, err := phonenumbers.Parse(text, region)
	if err != nil {
		return Number{}, &Error{"write it as +<country code><number>, digits only"}
	}
	if parsed.GetExtension() != "" {
		return Number{}, &Error{"a number with an extension can't be sent a message"}
	}
	if reason := phonenumbers.IsPossibleNumberWithReason(parsed); reason != phonenumbers.IS_POSSIBLE {
		return Number{}, &Error{lengthHint(reason)}
	}
	text = layout(parsed)
	if !isLayout(text) {
		return Number{}, &Error{lengthHint(phonenumbers.TOO_LONG)}
	}
	n := Number{unique.Make(text)}
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

// IsInternational reports whether raw carries its own country code, so that [Parse] needs no region.
func IsInternational(raw string) bool {
	text, err := clean(raw)
	return err == nil && strings.HasPrefix(text, "+")
}

// clean folds raw to "+", ASCII digits and nothing else. Letters are refused, not read as a keypad
// would: a vanity number in a form is a mistake or an attack.
func clean(raw string) (string, error) {
	if len(raw) > MaxInput || !utf8.ValidString(raw) {
		return "", &Error{"it is too long or not UTF-8"}
	}
	var out strings.Builder
	for _, r := range raw {
		switch digit, isDigit := FoldDigit(r); {
		case isDigit:
			out.WriteByte(digit)
		case (r == '+' || r == '＋') && out.Len() == 0:
			out.WriteByte('+')
		case isSeparator(r):
		default:
			return "", &Error{"it may hold digits, blanks, dashes, dots, brackets and a leading + only"}
		}
	}
	text := out.String()
	if rest, ok := strings.CutPrefix(text, "00"); ok {
		text = "+" + rest
	}
	if strings.TrimPrefix(text, "+") == "" {
		return "", &Error{"it holds no digits"}
	}
	return text, nil
}

// FoldDigit maps any Unicode decimal digit to ASCII. The digits of a script stand in one run of ten
// (Unicode Standard, section 4.6), so a digit's value is its distance from the run's start.
func FoldDigit(r rune) (ascii byte, isDigit bool) {
	if '0' <= r && r <= '9' {
		return byte(r), true
	}
	if !unicode.Is(unicode.Nd, r) {
		return 0, false
	}
	for _, block := range unicode.Nd.R16 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return '0' + byte((r-rune(block.Lo))%10), true
		}
	}
	for _, block := range unicode.Nd.R32 {
		if rune(block.Lo) <= r && r <= rune(block.Hi) {
			return '0' + byte((r-rune(block.Lo))%10), true
		}
	}
	return 0, false
}

func isSeparator(r rune) bool {
	switch r {
	case '-', '.', '(', ')', '/', '（', '）', '·', '‐', '‑', '‒', '–', '—', '−', '－', '．',
		'\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u00ad', // zero width
		'\u200e', '\u200f', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', // direction marks, as phone books paste them
		'\u2066', '\u2067', '\u2068', '\u2069':
		return true
	case '\r', '\n', '\v', '\f', '\u0085', '\u2028', '\u2029':
		return false // a line break is two values, or a header that someone wants to inject
	}
	return r == '\t' || unicode.Is(unicode.Zs, r)
}

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

// String returns the number masked: at least four digits of eight or more stay hidden.
func (n Number) String() string {
	if n.IsZero() {
		return "none"
	}
	code := n.calling()
	national := n.E164()[1+len(code):]
	tail := 4
	if len(national) < 8 {
		tail = 2
	}
	head := min(3, max(0, len(national)-tail-4))
	return "+" + code + " " + national[:head] + "****" + national[len(national)-tail:]
}

// Format writes [Number.String] for every verb.
func (n Number) Format(s fmt.State, _ rune) { _, _ = io.WriteString(s, n.String()) }

// LogValue returns [Number.String].
func (n Number) LogValue() slog.Value { return slog.StringValue(n.String()) }

// MarshalText returns [Number.String].
func (n Number) MarshalText() ([]byte, error) { return []byte(n.String()), nil }
