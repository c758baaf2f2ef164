package phone

import (
	"slices"

	"github.com/nyaruka/phonenumbers/v2/metadata"
)

// region is what the numbering plan of one region says of national numbers.
type region struct {
	country string
	plan    *automaton
	lengths [maxDigits + 1]set // by the length of a number, which expressions may speak of it
	whole   [maxDigits + 1]bool
	leads   bool // how its numbers begin tells them from those of other regions
	same    bool // fixed and mobile numbers are not told apart
}

// The expressions of a region are the rows below, and two on how a number begins.
const (
	general = iota
	fixed
	mobile
	firstKind // the rows from here are asked in their order, before fixed and mobile
)

var rows = [...]struct {
	typ Type
	of  func(*metadata.PhoneMetadata) *metadata.PhoneNumberDesc
}{
	general:   {Unknown, (*metadata.PhoneMetadata).GetGeneralDesc},
	fixed:     {FixedLine, (*metadata.PhoneMetadata).GetFixedLine},
	mobile:    {Mobile, (*metadata.PhoneMetadata).GetMobile},
	firstKind: {PremiumRate, (*metadata.PhoneMetadata).GetPremiumRate},
	{TollFree, (*metadata.PhoneMetadata).GetTollFree},
	{SharedCost, (*metadata.PhoneMetadata).GetSharedCost},
	{VoIP, (*metadata.PhoneMetadata).GetVoip},
	{Personal, (*metadata.PhoneMetadata).GetPersonalNumber},
	{Pager, (*metadata.PhoneMetadata).GetPager},
	{Company, (*metadata.PhoneMetadata).GetUan},
	{Voicemail, (*metadata.PhoneMetadata).GetVoicemail},
}

const (
	within  = len(rows)     // begins with what people there dial before a number
	leading = len(rows) + 1 // begins as the region's numbers do
)

func newRegion(country string, m *metadata.PhoneMetadata) (*region, error) {
	r := &region{country: country, leads: m.GetLeadingDigits() != "", same: m.GetSameMobileAndFixedLinePattern()}
	var texts []string
	for i, row := range rows {
		texts = append(texts, r.expression(i, row.of(m)))
	}
	for _, begins := range []string{m.GetNationalPrefixForParsing(), m.GetLeadingDigits()} {
		r.allow(len(texts), nil)
		texts = append(texts, beginning(begins))
	}
	var err error
	r.plan, err = newAutomaton(texts)
	return r, err
}

// expression is that of the numbers of one kind; "" where there are none.
func (r *region) expression(i int, d *metadata.PhoneNumberDesc) string {
	text, lengths := d.GetNationalNumberPattern(), d.GetPossibleLength()
	if text == "" || slices.Equal(lengths, []int32{-1}) { // so the metadata says that there are none
		return ""
	}
	r.allow(i, lengths)
	return text
}

// allow lets expression i speak of numbers of these lengths; of none: of any.
func (r *region) allow(i int, lengths []int32) {
	for n := range r.lengths {
		listed := slices.Contains(lengths, int32(n))
		if listed || len(lengths) == 0 {
			r.lengths[n] |= 1 << i
		}
		r.whole[n] = r.whole[n] || listed && i == general
	}
}

// beginning is the expression of all numbers that begin so.
func beginning(text string) string {
	if text == "" {
		return ""
	}
	return "(?:" + text + ")[0-9]*"
}

// matching are the expressions that are true of a number.
func (r *region) matching(national string) set {
	return r.plan.matching(national) & r.lengths[len(national)]
}

// takes reports whether national is read as it stands: of a whole number's length, and with nothing before it
// that is dialled within the country alone.
func (r *region) takes(national string) bool {
	return r.whole[len(national)] && !r.matching(national).has(within)
}

// find returns the type of a number, if it is this region's, which is not the only one of its calling code.
func (r *region) find(national string) (typ Type, here bool) {
	found := r.matching(national)
	typ = r.typeOf(found)
	if r.leads {
		return typ, found.has(leading)
	}
	return typ, typ != Unknown
}

func (r *region) typeOf(found set) Type {
	if !found.has(general) {
		return Unknown
	}
	for i := firstKind; i < len(rows); i++ {
		if found.has(i) {
			return rows[i].typ
		}
	}
	return r.lineType(found)
}

func (r *region) lineType(found set) Type {
	switch {
	case found.has(fixed) && (r.same || found.has(mobile)):
		return FixedOrMobile
	case found.has(fixed):
		return FixedLine
	case !r.same && found.has(mobile):
		return Mobile
	}
	return Unknown
}
