package records

import (
	"cmp"
	"time"
)

// State is where a verification is in its life. A row keeps instants, not a state: so what is told late, twice or
// out of order leads to the same row, and [Verification.State] tells which one follows.
type State string

// The states, as they follow each other. Only Failed and Expired are an end without success.
const (
	Accepted  State = "accepted"  // the gateway took the message, or may have
	Delivered State = "delivered" // a receipt says that it arrived
	Verified  State = "verified"  // the right code came
	Expired   State = "expired"   // its time passed before that
	Failed    State = "failed"    // the message surely did not leave, or receipts say that it did not arrive, and none that it did
)

// Verification is the row of one accepted send. Instants are UTC in whole milliseconds; the zero Time is never.
type Verification struct {
	SMSID     string `json:"sms_id,omitzero"` // as it is told to the client; the primary key
	App       string `json:"app,omitzero"`
	Scene     string `json:"scene,omitzero"`
	RequestID string `json:"request_id,omitzero"` // of the send
	Country   string `json:"country,omitzero"`    // ISO 3166
	Prefix    string `json:"prefix,omitzero"`     // the number without its last four digits
	Whom      Whom   `json:"whom,omitzero"`
	// Sealed is the number, sealed and bound to the SMSID; nil once it was erased.
	Sealed        []byte    `json:"sealed,omitzero"`
	PolicyVersion string    `json:"policy_version,omitzero"`
	CreatedAt     time.Time `json:"created_at,omitzero"`
	ExpiresAt     time.Time `json:"expires_at,omitzero"`
	Fate          Fate      `json:"fate,omitzero"`
}

// Whom are the keyed hashes of who a row is about.
type Whom struct {
	Phone   Hash `json:"phone,omitzero"`
	Host    Hash `json:"host,omitzero"`
	Network Hash `json:"network,omitzero"`
	Device  Hash `json:"device,omitzero"`
}

// Fate is what became of a message; what is zero is not known.
type Fate struct {
	Gateway string `json:"gateway,omitzero"` // that took it, or may have
	// Delivery is [DeliveryAccepted], of a message at least, or "unknown".
	Delivery string `json:"delivery,omitzero"`
	// Segments are billed parts, as far as the text tells; 0: not known.
	Segments int `json:"segments,omitzero"`
	// CostMicros is millionths of Currency (ISO 4217), of all messages whose price we know; 0 and "": of none it is. Where two
	// were in different currencies it is 0 [MixedCurrency].
	CostMicros int64  `json:"cost_micros,omitzero"`
	Currency   string `json:"currency,omitzero"`
	// Billed is what the carrier says of a message. It stands beside our own figures, whichever of the two comes first.
	Billed      Bill      `json:"billed,omitzero"`
	DeliveredAt time.Time `json:"delivered_at,omitzero"`
	VerifiedAt  time.Time `json:"verified_at,omitzero"`
	FailedAt    time.Time `json:"failed_at,omitzero"`
	// Failure is why, from the closed list of the gateways' reasons.
	Failure string `json:"failure,omitzero"`
	// FailureCode is the carrier's own word for it, as far as it is fit to be told; "": none is known.
	FailureCode string `json:"failure_code,omitzero"`
	// Resends is how many messages followed the first.
	Resends   int       `json:"resends,omitzero"`
	ResentAt  time.Time `json:"resent_at,omitzero"`  // the last of them
	ExpiredAt time.Time `json:"expired_at,omitzero"` // the code was ended before ExpiresAt: no attempts are left
}

// DeliveryAccepted is the Delivery of a verification of which a gateway surely took a message.
const DeliveryAccepted = "accepted"

// Bill is a carrier's word on what a message costs; what is zero is not known.
type Bill struct {
	Segments   int    `json:"segments,omitzero"`
	CostMicros int64  `json:"cost_micros,omitzero"`
	Currency   string `json:"currency,omitzero"`
}

// shown is f with the carrier's figures in the place of ours, where there are any. A bill is of one message, so that the cost
// of several is ours, if we know it.
func (f Fate) shown() Fate {
	f.Segments = cmp.Or(f.Billed.Segments, f.Segments)
	if f.Billed.CostMicros != 0 && (f.Resends == 0 || f.Currency == "") {
		f.CostMicros, f.Currency = f.Billed.CostMicros, f.Billed.Currency
	}
	return f
}

// State tells where v is at now. It only moves forward: of the messages of a verification one that arrived makes up for
// others that did not.
func (v Verification) State(now time.Time) State {
	f := v.Fate
	switch {
	case !f.VerifiedAt.IsZero():
		return Verified
	case !f.FailedAt.IsZero() && f.DeliveredAt.IsZero():
		return Failed
	case !f.ExpiredAt.IsZero() || !now.Before(v.ExpiresAt):
		return Expired
	case !f.DeliveredAt.IsZero():
		return Delivered
	}
	return Accepted
}

// MixedCurrency stands where costs in different currencies were added up: ISO 4217 calls no currency so.
const MixedCurrency = "XXX"

// AddCosts returns what two costs are together. One that is not known adds nothing, and those in different currencies make
// a [MixedCurrency]. The order of costs makes no difference.
func AddCosts(micros int64, currency string, more int64, moreCurrency string) (int64, string) {
	switch {
	case moreCurrency == "":
		return micros, currency
	case currency == "" || currency == moreCurrency:
		return micros + more, moreCurrency
	}
	return 0, MixedCurrency
}

// Change is what became known of a verification after its row was written. What is zero stays, but for Resends,
// and our cost, which are added: that of each message is told once, see [AddCosts]. Of an instant the earliest counts, and of ResentAt
// the latest; Failure and FailureCode are those of FailedAt. Once Delivery is [DeliveryAccepted] it stays. Of a [Bill] the larger one counts, segments
// and cost each for themselves. So what receipts tell leads to one row, in whatever order and however often it is told. Of other
// words and numbers the last one told counts.
type Change struct {
	SMSID     string    `json:"sms_id,omitzero"`
	ExpiresAt time.Time `json:"expires_at,omitzero"` // zero: it stays
	Fate      Fate      `json:"fate,omitzero"`
}
