package records

import (
	"strings"
	"time"

	"smsd/internal/phone"
)

// ListedVerification is a row as listings show it.
//
// It has no prefix: beside the last four digits, which the mask shows, that would be the number.
type ListedVerification struct {
	SMSID, App, Scene, RequestID string
	State                        State
	Country                      string
	// Phone is masked; "" where it was erased, or sealed with a secret that is in use no more.
	Phone         string
	Subjects      Subjects
	PolicyVersion string
	CreatedAt     time.Time
	ExpiresAt     time.Time
	Fate          Fate
}

// ListedDecision is a row as listings show it.
type ListedDecision struct {
	At                                            time.Time
	RequestID, App, Action, Scene, Outcome, SMSID string
	Country                                       string
	// Phone is the number's beginning, as far as the mask shows it; "" where none was known.
	Phone         string
	Subjects      Subjects
	Rule          string
	Used, Limit   int64
	Shadow        []string
	Gateway       string
	PolicyVersion string
	Folded        int64
}

// Subjects tell rows of one subject from those of another, and nothing else: the beginning of each keyed hash, 12 hex
// digits, or "" for none. Another secret makes another hash of the same subject. Block is the number without its last
// four digits.
type Subjects struct{ Phone, Block, Host, Network, Device string }

// shownDigits are as many as tell subjects apart: of a million, the chance that any two look the same is 1 in 560.
const shownDigits = 12

func (d *Desk) subjects(w Whom, prefix string) Subjects {
	return Subjects{short(w.Phone), short(d.keys.hash(kindBlock, prefix)), short(w.Host), short(w.Network), short(w.Device)}
}

// kindBlock is a kind of subject that is hashed for listings alone.
const kindBlock = "block"

func short(h Hash) string {
	s := h.String()
	return s[:min(len(s), shownDigits)]
}

func (d *Desk) listVerification(v Verification, now time.Time) ListedVerification {
	return ListedVerification{
		SMSID: v.SMSID, App: v.App, Scene: v.Scene, RequestID: v.RequestID, State: v.State(now), Country: v.Country,
		Phone: d.masked(v.SMSID, v.Sealed), Subjects: d.subjects(v.Whom, v.Prefix), PolicyVersion: v.PolicyVersion,
		CreatedAt: v.CreatedAt, ExpiresAt: v.ExpiresAt, Fate: v.Fate.shown(),
	}
}

func (d *Desk) listDecision(r Decision, _ time.Time) ListedDecision {
	return ListedDecision{
		At: r.At, RequestID: r.RequestID, App: r.App, Action: r.Action, Scene: r.Scene, Outcome: r.Outcome, SMSID: r.SMSID,
		Country: r.Country, Phone: maskedPrefix(r.Prefix), Subjects: d.subjects(r.Whom, r.Prefix),
		Rule: r.Rule, Used: r.Used, Limit: r.Limit, Shadow: r.Shadow,
		Gateway: r.Gateway, PolicyVersion: r.PolicyVersion, Folded: r.Folded,
	}
}

// hidden is what stands in a mask for the digits that it hides.
const hidden = "****"

// maskedPrefix shows of a number without its last four digits what the mask of the whole number shows, so that a
// decision and a verification of one number tell no more together than each alone.
func maskedPrefix(prefix string) string {
	if prefix == "" {
		return ""
	}
	n, err := phone.Parse(prefix+"0000", "")
	if err != nil {
		return hidden
	}
	head, _, _ := strings.Cut(n.String(), hidden)
	return head + hidden
}
