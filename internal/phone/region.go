package phone

import (
	"regexp"
	"slices"

	"github.com/nyaruka/phonenumbers/v2/metadata"
)

// region is what the numbering plan of one region says of national numbers.
type region struct {
	country string
	general shape
	prefix  *regexp.Regexp // what people there dial before a number; nil: nothing
	leading *regexp.Regexp // how its numbers begin, if that tells them from those of other regions; else nil
	kinds   []kind         // in the order in which they are asked
	fixed   shape
	mobile  shape
	same    bool // fixed and mobile numbers are not told apart
}

type kind struct {
	typ   Type
	shape shape
}

func newRegion(country string, m *metadata.PhoneMetadata) *region {
	return &region{
		country: country,
		general: newShape(m.GetGeneralDesc()),
		prefix:  beginning(m.GetNationalPrefixForParsing()),
		leading: beginning(m.GetLeadingDigits()),
		kinds: []kind{
			{PremiumRate, newShape(m.GetPremiumRate())},
			{TollFree, newShape(m.GetTollFree())},
			{SharedCost, newShape(m.GetSharedCost())},
			{VoIP, newShape(m.GetVoip())},
			{Personal, newShape(m.GetPersonalNumber())},
			{Pager, newShape(m.GetPager())},
			{Company, newShape(m.GetUan())},
			{Voicemail, newShape(m.GetVoicemail())},
		},
		fixed:  newShape(m.GetFixedLine()),
		mobile: newShape(m.GetMobile()),
		same:   m.GetSameMobileAndFixedLinePattern(),
	}
}

func beginning(pattern string) *regexp.Regexp {
	if pattern == "" {
		return nil
	}
	return regexp.MustCompile("^(?:" + pattern + ")")
}

// takes reports whether national is read as it stands: of a whole number's length, and with nothing before it
// that is dialled within the country alone.
func (r *region) takes(national string) bool {
	return r.general.pattern != nil && slices.Contains(r.general.lengths, int32(len(national))) &&
		(r.prefix == nil || !r.prefix.MatchString(national))
}

// has reports whether a number of that type is of this region, which is not the only one of its calling code.
func (r *region) has(national string, typ Type) bool {
	if r.leading != nil {
		return r.leading.MatchString(national)
	}
	return typ != Unknown
}

func (r *region) typeOf(national string) Type {
	if !r.general.matches(national) {
		return Unknown
	}
	for _, k := range r.kinds {
		if k.shape.matches(national) {
			return k.typ
		}
	}
	return r.lineType(national)
}

func (r *region) lineType(national string) Type {
	fixed := r.fixed.matches(national)
	switch {
	case fixed && (r.same || r.mobile.matches(national)):
		return FixedOrMobile
	case fixed:
		return FixedLine
	case !r.same && r.mobile.matches(national):
		return Mobile
	}
	return Unknown
}

// shape is the lengths and the expression of the numbers of one kind.
type shape struct {
	lengths []int32        // empty: any
	pattern *regexp.Regexp // nil: there are none
}

func newShape(d *metadata.PhoneNumberDesc) shape {
	pattern, lengths := d.GetNationalNumberPattern(), d.GetPossibleLength()
	if pattern == "" || slices.Equal(lengths, []int32{-1}) { // so the metadata says that there are none
		return shape{}
	}
	return shape{lengths, regexp.MustCompile("^(?:" + pattern + ")$")}
}

func (s shape) matches(national string) bool {
	return s.pattern != nil && (len(s.lengths) == 0 || slices.Contains(s.lengths, int32(len(national)))) &&
		s.pattern.MatchString(national)
}
