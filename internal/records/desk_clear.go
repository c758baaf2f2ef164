package records

import "time"

// Rows as their owner gets them: all that is kept, under the names of the listings.

type clearWhom struct {
	Phone   string `json:"phone_hash,omitzero"`
	Host    string `json:"ip_hash,omitzero"`
	Network string `json:"network_hash,omitzero"`
	Device  string `json:"device_hash,omitzero"`
}

type ownVerification struct {
	SMSID     string `json:"sms_id"`
	App       string `json:"app"`
	Scene     string `json:"scene"`
	State     State  `json:"state"`
	RequestID string `json:"request_id"`
	Country   string `json:"country"`
	Prefix    string `json:"prefix"`
	clearWhom
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
	FailureCode   string    `json:"failure_code,omitzero"`
	EndedAt       time.Time `json:"ended_at,omitzero"`
	Resends       int       `json:"resends,omitzero"`
	ResentAt      time.Time `json:"resent_at,omitzero"`
}

func clearVerification(v Verification, now time.Time) ownVerification {
	f := v.Fate.shown()
	return ownVerification{
		SMSID: v.SMSID, App: v.App, Scene: v.Scene, State: v.State(now), RequestID: v.RequestID, Country: v.Country,
		Prefix: v.Prefix, clearWhom: v.Whom.clear(), PolicyVersion: v.PolicyVersion, CreatedAt: v.CreatedAt, ExpiresAt: v.ExpiresAt,
		Gateway: f.Gateway, Delivery: f.Delivery, Segments: f.Segments, CostMicros: f.CostMicros, Currency: f.Currency,
		DeliveredAt: f.DeliveredAt, VerifiedAt: f.VerifiedAt, FailedAt: f.FailedAt, Failure: f.Failure, FailureCode: f.FailureCode, EndedAt: f.ExpiredAt,
		Resends: f.Resends, ResentAt: f.ResentAt,
	}
}

type ownDecision struct {
	At        time.Time `json:"at"`
	RequestID string    `json:"request_id"`
	App       string    `json:"app"`
	Action    string    `json:"action"`
	Scene     string    `json:"scene"`
	Outcome   string    `json:"outcome"`
	SMSID     string    `json:"sms_id,omitzero"`
	Country   string    `json:"country"`
	Prefix    string    `json:"prefix"`
	clearWhom
	Rule          string   `json:"rule,omitzero"`
	Used          int64    `json:"used,omitzero"`
	Limit         int64    `json:"limit,omitzero"`
	Shadow        []string `json:"shadow,omitempty"`
	Gateway       string   `json:"gateway,omitzero"`
	PolicyVersion string   `json:"policy_version"`
	Folded        int64    `json:"folded,omitzero"`
}

func clearDecision(r Decision) ownDecision {
	return ownDecision{
		At: r.At, RequestID: r.RequestID, App: r.App, Action: r.Action, Scene: r.Scene, Outcome: r.Outcome, SMSID: r.SMSID,
		Country: r.Country, Prefix: r.Prefix, clearWhom: r.Whom.clear(), Rule: r.Rule, Used: r.Used, Limit: r.Limit,
		Shadow: r.Shadow, Gateway: r.Gateway, PolicyVersion: r.PolicyVersion, Folded: r.Folded,
	}
}

func (w Whom) clear() clearWhom {
	return clearWhom{w.Phone.String(), w.Host.String(), w.Network.String(), w.Device.String()}
}
