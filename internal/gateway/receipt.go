package gateway

import (
	"context"
	"errors"
	"time"
)

// Receipt is a carrier's later word on a message that it took. What is zero is not known.
type Receipt struct {
	// MessageID is [Message].ID, from carriers that repeat it, and ProviderID what [Accepted].ProviderID was. At least one of them is
	// known.
	MessageID, ProviderID string
	State                 ReceiptState
	// Reason and Code say why, of [Undelivered] alone. Code is the carrier's own word, also one that the driver does not know, if it
	// [IsCode].
	Reason Reason
	Code   string
	// At is when it happened, by the carrier's clock, in UTC.
	At time.Time
	// Segments is how many were billed.
	Segments int
	// CostMicros is millionths of Currency (three letters, ISO 4217), for all segments; never negative, and with a Currency.
	CostMicros int64
	Currency   string
}

// ReceiptState is how far a message has come.
type ReceiptState string

// The states. That a message was delivered says nothing of who reads it.
const (
	UnderWay    ReceiptState = "under_way"   // nothing final yet
	Delivered   ReceiptState = "delivered"   // the phone has it
	Undelivered ReceiptState = "undelivered" // it will not get there any more
)

// Post is a carrier's call with receipts, as it came over HTTP. It is as trustworthy as whoever sent it.
type Post struct {
	// URL is where it was sent to as the carrier knows it, query and all: some sign it.
	URL string
	// Secret is what stood in the path behind receipts/; empty: nothing.
	Secret string
	// Header has canonical names, as [net/http.Header].
	Header map[string][]string
	Body   []byte // bounded by the caller
	// Now is when it came.
	Now time.Time
}

// ReceiptReader is what a [Driver] is as well whose carrier reports on its messages.
type ReceiptReader interface {
	// Receipts sees that p comes from the carrier, and reads it. The error unwraps to [ErrForged] or to [ErrUnreadable], and holds
	// nothing of p. What is about no message, says nothing of it, or can't be read among others that can, is left out: a carrier that
	// is told of an error sends all of them again. Safe for concurrent use.
	Receipts(ctx context.Context, p Post) ([]Receipt, error)
}

// ReceiptAnswerer is what a [ReceiptReader] is as well whose carrier wants to read something particular when its receipts were taken:
// without it, it sends them again.
type ReceiptAnswerer interface {
	// ReceiptAnswer returns the body that goes with the 200, and its media type. It is the same every time; nobody changes it.
	ReceiptAnswer() (contentType string, body []byte)
}

// The errors of a [ReceiptReader].
var (
	ErrForged     = errors.New("the call does not come from the carrier")
	ErrUnreadable = errors.New("the carrier's receipts can't be read")
)
