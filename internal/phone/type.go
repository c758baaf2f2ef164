package phone

import "github.com/nyaruka/phonenumbers/v2"

// Type is the kind of line a number belongs to, by its country's numbering plan.
type Type uint8

// The zero Type is Unknown: possible by its length, but in no range that the plan is known to use.
const (
	Unknown Type = iota
	Mobile
	FixedLine
	FixedOrMobile // the plan does not tell the two apart, as in North America
	TollFree
	PremiumRate
	SharedCost
	VoIP
	Personal
	Pager
	Company
	Voicemail
)

// typeNames are the words of the policy, in the order of the constants.
var typeNames = [...]string{
	"unknown", "mobile", "fixed_line", "fixed_or_mobile", "toll_free", "premium_rate",
	"shared_cost", "voip", "personal", "pager", "company", "voicemail",
}

// String returns the policy's word for t.
func (t Type) String() string { return typeNames[t] }

var typesByPlan = map[phonenumbers.PhoneNumberType]Type{
	phonenumbers.MOBILE:               Mobile,
	phonenumbers.FIXED_LINE:           FixedLine,
	phonenumbers.FIXED_LINE_OR_MOBILE: FixedOrMobile,
	phonenumbers.TOLL_FREE:            TollFree,
	phonenumbers.PREMIUM_RATE:         PremiumRate,
	phonenumbers.SHARED_COST:          SharedCost,
	phonenumbers.VOIP:                 VoIP,
	phonenumbers.PERSONAL_NUMBER:      Personal,
	phonenumbers.PAGER:                Pager,
	phonenumbers.UAN:                  Company,
	phonenumbers.VOICEMAIL:            Voicemail,
}

func typeOf(n *phonenumbers.PhoneNumber) Type {
	return typesByPlan[phonenumbers.GetNumberType(n)] // absent: Unknown
}

// IsCountry reports whether code is an ISO 3166 code, in capitals, that has a numbering plan.
func IsCountry(code string) bool { return phonenumbers.GetCountryCodeForRegion(code) != 0 }

// World is the pseudo-country of numbers that belong to no country (+800, +881, +882, +883 ...).
const World = "001"
