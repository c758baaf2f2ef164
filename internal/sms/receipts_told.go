package sms

import (
	"slices"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/records"
)

// Receipts that nobody can place are kept for a while, since they may be quicker than the word of whose they are. An account at a
// carrier may have messages of other systems too, by the million, so that no more than these many are kept: at most
// 220,000 rows until they are purged ([records.UnclaimedKept]).
const (
	earlyRate  = 10 // a second
	earlyBurst = 1000
)

// toldBy is what a receipt says of the verification whose message was sent at sent; zero: that is not known. A receipt in whatever
// state says that the carrier has the message, also where the send could not tell.
func toldBy(r gateway.Receipt, sent, now time.Time) records.Fate {
	f := records.Fate{Delivery: records.DeliveryAccepted, Billed: billOf(r)}
	switch stateOf(r) {
	case gateway.Delivered:
		f.DeliveredAt = plausible(r.At, sent, now)
	case gateway.Undelivered:
		f.FailedAt = plausible(r.At, sent, now)
		f.Failure, f.FailureCode = reasonOf(r), codeOf(r)
	}
	return f
}

// reasonOf is a reason of the list, or "".
func reasonOf(r gateway.Receipt) string {
	if slices.Contains(gateway.Reasons(), r.Reason) {
		return string(r.Reason)
	}
	return ""
}

// codeOf is the carrier's own word, or "" where it is not fit to be told.
func codeOf(r gateway.Receipt) string {
	if gateway.IsCode(r.Code) {
		return r.Code
	}
	return ""
}

// stateOf is a state of the list: it is a metric's label.
func stateOf(r gateway.Receipt) gateway.ReceiptState {
	if r.State == gateway.Delivered || r.State == gateway.Undelivered {
		return r.State
	}
	return gateway.UnderWay
}

// oldest is how long after an instant a carrier may tell of it: as long as a row is kept by default, and far short of what a
// clock says that was never set.
const oldest = 30 * 24 * time.Hour

// plausible is the instant that a carrier tells, where its clock and its time zone let it lie between the send and now. A zero
// sent is not known: then it may be some time ago.
func plausible(at, sent, now time.Time) time.Time {
	switch {
	case at.IsZero() || at.After(now) || sent.IsZero() && at.Before(now.Add(-oldest)):
		return now
	case at.Before(sent):
		return sent
	}
	return at
}

// billOf is what a receipt says that the message costs, as far as it can be true.
func billOf(r gateway.Receipt) records.Bill {
	var b records.Bill
	if 0 < r.Segments && r.Segments <= gateway.MaxSegments {
		b.Segments = r.Segments
	}
	if 0 < r.CostMicros && r.CostMicros <= MaxAmount*microsPerUnit && isCurrency(r.Currency) {
		b.CostMicros, b.Currency = r.CostMicros, r.Currency
	}
	return b
}

// isCurrency says whether a text is a code as those of ISO 4217 are.
func isCurrency(text string) bool {
	return len(text) == 3 && strings.Trim(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
