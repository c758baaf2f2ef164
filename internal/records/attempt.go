package records

import (
	"time"

	"smsd/internal/address"
	"smsd/internal/phone"
)

// Attempt is what was asked for and what came of it, in clear. Only hashes of whom it is about are written.
type Attempt struct {
	At            time.Time
	RequestID     string
	App           string
	Action        string // send, resend or verify
	Scene         string // "other" where it is none of the policy's
	Outcome       string // one of [Outcomes]
	SMSID         string
	Phone         phone.Number
	Client        address.Addr
	Device        string
	Whom          Whom   // the hashes of these three, where they are known from [Pending.Whom]; zero: not yet
	Rule          string // what refused; "": nothing did
	Used, Limit   int64
	Shadow        []string // rules that would have; it must not change any longer
	Gateway       string
	PolicyVersion string
	// AtWill says that a client can cause it as often as it likes, at nobody's cost: so it may be folded. What is not
	// gets a row of its own, and must be bounded by what it costs, as accepted sends are by the throttle.
	AtWill bool
}

// row is the row of an attempt that stands for folded more like it.
func (a *Attempt) row(k *Keys, folded int64) Decision {
	whom := a.Whom
	if whom == (Whom{}) {
		whom = k.Whom(a.Phone, a.Client, a.Device)
	}
	var shadow []string
	for _, rule := range a.Shadow {
		shadow = append(shadow, clean(rule))
	}
	return Decision{
		At: instant(a.At), RequestID: clean(a.RequestID), App: clean(a.App), Action: clean(a.Action), Scene: clean(a.Scene),
		Outcome: clean(a.Outcome), SMSID: clean(a.SMSID), Country: a.Phone.Country(), Prefix: a.Phone.Prefix(),
		Whom: whom, Rule: clean(a.Rule), Used: a.Used, Limit: a.Limit, Shadow: shadow,
		Gateway: clean(a.Gateway), PolicyVersion: clean(a.PolicyVersion), Folded: folded,
	}
}
