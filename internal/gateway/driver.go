package gateway

import (
	"context"

	"smsd/internal/phone"
	"smsd/internal/secret"
)

// Driver is one account at a carrier. Implementations are safe for concurrent use, honour ctx's
// deadline, and do not retry, log or count: [Router] does. One may be a [ReceiptReader] or an [Examiner]
// as well.
type Driver interface {
	// Send hands m to the carrier, once. A nil error means that the carrier took it. Every other outcome
	// is a [*Error], not wrapped; an error of another type, a panic, and an answer after ctx's deadline are
	// read as [Ambiguous] and [MaybeSent]. No error holds a number, a code, a text or a credential.
	//
	// [NotSent] is for what the driver knows: the connection was never made, or the carrier's answer says
	// that it refused. Once the request is on the wire, no answer, half an answer and an answer that can't
	// be understood are MaybeSent.
	Send(ctx context.Context, m Message) (Accepted, error)
}

// Message is one text to one number.
type Message struct {
	// ID is the same on every try of one message, and differs between messages.
	ID string
	// SMSID is the verification that the message belongs to.
	SMSID  string
	Phone  phone.Number
	Scene  string
	Locale string // BCP 47, the template's
	// Text is the whole message; it holds the code.
	Text secret.Text
	// Code is the code alone.
	Code secret.Text
	// Template is for carriers that keep the text themselves; zero: the policy has none for this gateway, and Text is sent.
	Template Template
}

// Accepted is a carrier's word that it took a message.
type Accepted struct {
	// Gateway is the name of the gateway that took it; the router fills it in.
	Gateway string
	// ProviderID is the carrier's own id of the message, for receipts; may be empty. The router drops one
	// of more than [MaxProviderID] bytes.
	ProviderID string
	// ByProviderID says that receipts will name the message by ProviderID alone, so that whose it is must be kept for them.
	ByProviderID bool
	// Earlier is the failure of the gateway tried before this one, nil if this was the first; the router
	// fills it in. It is for the log: a failover that nobody hears of is an outage in waiting.
	Earlier *Error
}
