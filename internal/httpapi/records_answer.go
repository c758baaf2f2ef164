package httpapi

import (
	"time"

	"smsd/internal/records"
)

// listingAnswer is a page of one of the listings.
type listingAnswer struct {
	Verifications any       `json:"verifications,omitzero"`
	Decisions     any       `json:"decisions,omitzero"`
	At            time.Time `json:"at"`
	Next          string    `json:"next,omitzero"`
}

func newListingAnswer(of records.Listing, rows any, at time.Time, next string) *listingAnswer {
	if of == records.OfDecisions {
		return &listingAnswer{Decisions: rows, At: at, Next: next}
	}
	return &listingAnswer{Verifications: rows, At: at, Next: next}
}

// Rows of the listings. The names are those of the columns of the CSV.

type verificationAnswer struct {
	SMSID     string `json:"sms_id"`
	App       string `json:"app"`
	Scene     string `json:"scene"`
	State     string `json:"state"`
	RequestID string `json:"request_id"`
	Country   string `json:"country"`
	Phone     string `json:"phone,omitzero"` // masked
	subjectsAnswer
	PolicyVersion string    `json:"policy_version"`
	CreatedAt     time.Time `json:"created_at"`
	ExpiresAt     time.Time `json:"expires_at"`
	Gateway       string    `json:"gateway,omitzero"`
	Delivery      string    `json:"delivery,omitzero"`
	Segments      int       `json:"segments,omitzero"`
	CostMicros    int64     `json:"cost_micros,omitzero"`
	Currency      string    `json:"currency,omitzero"`
	DeliveredAt   time.Time `json:"delivered_at,omitzero"`
	VerifiedAt    time.Time `json:"verified_at,omitzero"`
	FailedAt      time.Time `json:"failed_at,omitzero"`
	Failure       string    `json:"failure,omitzero"`
	EndedAt       time.Time `json:"ended_at,omitzero"`
	Resends       int       `json:"resends"`
	ResentAt      time.Time `json:"resent_at,omitzero"`
	FailureCode   string    `json:"failure_code,omitzero"`
}

// subjectsAnswer tells rows of one subject from those of another.
type subjectsAnswer struct {
	Phone   string `json:"phone_hash,omitzero"`
	Block   string `json:"block_hash,omitzero"`
	Host    string `json:"ip_hash,omitzero"`
	Network string `json:"network_hash,omitzero"`
	Device  string `json:"device_hash,omitzero"`
}

func newVerificationAnswer(v records.ListedVerification) verificationAnswer {
	f := v.Fate
	return verificationAnswer{
		SMSID: v.SMSID, App: v.App, Scene: v.Scene, State: string(v.State), RequestID: v.RequestID, Country: v.Country,
		Phone: v.Phone, subjectsAnswer: subjectsAnswer(v.Subjects), PolicyVersion: v.PolicyVersion,
		CreatedAt: v.CreatedAt, ExpiresAt: v.ExpiresAt, Gateway: f.Gateway, Delivery: f.Delivery, Segments: f.Segments,
		CostMicros: f.CostMicros, Currency: f.Currency, DeliveredAt: f.DeliveredAt, VerifiedAt: f.VerifiedAt,
		FailedAt: f.FailedAt, Failure: f.Failure, EndedAt: f.ExpiredAt, Resends: f.Resends, ResentAt: f.ResentAt,
		FailureCode: f.FailureCode,
	}
}

type decisionAnswer struct {
	At        time.Time `json:"at"`
	RequestID string    `json:"request_id"`
	App       string    `json:"app"`
	Action    string    `json:"action"`
	Scene     string    `json:"scene"`
	Outcome   string    `json:"outcome"`
	SMSID     string    `json:"sms_id,omitzero"`
	Country   string    `json:"country,omitzero"`
	Phone     string    `json:"phone,omitzero"` // the part that a mask shows
	subjectsAnswer
	Rule          string   `json:"rule,omitzero"`
	Used          int64    `json:"used,omitzero"`
	Limit         int64    `json:"limit,omitzero"`
	Shadow        []string `json:"shadow,omitempty"`
	Gateway       string   `json:"gateway,omitzero"`
	PolicyVersion string   `json:"policy_version"`
	Folded        int64    `json:"folded"`
}

func newDecisionAnswer(d records.ListedDecision) decisionAnswer {
	return decisionAnswer{
		At: d.At, RequestID: d.RequestID, App: d.App, Action: d.Action, Scene: d.Scene, Outcome: d.Outcome, SMSID: d.SMSID,
		Country: d.Country, Phone: d.Phone, subjectsAnswer: subjectsAnswer(d.Subjects), Rule: d.Rule, Used: d.Used,
		Limit: d.Limit, Shadow: d.Shadow, Gateway: d.Gateway, PolicyVersion: d.PolicyVersion, Folded: d.Folded,
	}
}
