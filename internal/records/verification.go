package records

import "time"

// State is where a verification is in its life. A row keeps instants, not a state: so what is told late, twice or
// out of order leads to the same row, and [Verification.State] tells which one follows.
type State string

// The states, as they follow each other. Only Failed and Expired are an end without success.
const (
	Accepted  State = "accepted"  // the gateway took the message, or may have
	Delivered State = "delivered" // a receipt says that it arrived
	Verified  State = "verified"  // the right code came
	Expired   State = "expired"   // its time passed before that
	Failed    State = "failed"    // the message surely did not leave, or a receipt says that it did not arrive
)

// Verification is the row of one accepted send. Instants are UTC in whole milliseconds; the zero Time is never.
type Verification struct {
	SMSID     string // as it is told to the client; the primary key
	App       string
	Scene     string
	RequestID string // of the send
	Country   string // ISO 3166
	Prefix    string // the number without its last four digits
	Whom      Whom
	// Sealed is the number, sealed and bound to the SMSID; nil once it was erased.
	Sealed        []byte
	PolicyVersion string
	CreatedAt     time.Time
	ExpiresAt     time.Time
	Fate          Fate
}

// Whom are the keyed hashes of who a row is about.
type Whom struct {
	Phone, Host, Network, Device Hash
}

// Fate is what became of a message; what is zero is not known.
type Fate struct {
	Gateway  string // that took it
	Delivery string // "accepted" or "unknown"
	// Segments are billed parts; 0: not known.
	Segments int
	// CostMicros is millionths of Currency (ISO 4217); 0 and "": not known.
	CostMicros  int64
	Currency    string
	DeliveredAt time.Time
	VerifiedAt  time.Time
	FailedAt    time.Time
	// Failure is why, from the closed list of the gateways' reasons.
	Failure string
	// Resends is how many messages followed the first.
	Resends   int
	ResentAt  time.Time
	ExpiredAt time.Time // the code was ended before ExpiresAt: no attempts are left
}

// State tells where v is at now.
func (v Verification) State(now time.Time) State {
	f := v.Fate
	switch {
	case !f.VerifiedAt.IsZero():
		return Verified
	case !f.FailedAt.IsZero():
		return Failed
	case !f.ExpiredAt.IsZero() || !now.Before(v.ExpiresAt):
		return Expired
	case !f.DeliveredAt.IsZero():
		return Delivered
	}
	return Accepted
}

// Change is what became known of a verification after its row was written. What is zero stays, but for Resends,
// which is added. An instant that the row has already stays too: the first one told counts.
type Change struct {
	SMSID     string
	ExpiresAt time.Time // zero: it stays
	Fate      Fate
}
