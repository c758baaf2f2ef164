package aws

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var _ gateway.ReceiptReader = (*Gateway)(nil)

// Receipts implements [gateway.ReceiptReader]. The vendor's events come through a topic of Amazon SNS, which signs what it posts. Who
// knows the secret in the path makes this ask for a certificate, and no more; what the certificate and the topic prove is believed. The
// same may come again, for hours, so there is no age at which a call is too old.
//
// The first call of a topic asks whether it may post here; it is answered by a call to SNS, at an address that is made here.
func (g *Gateway) Receipts(ctx context.Context, p gateway.Post) ([]gateway.Receipt, error) {
	if err := carrier.FromPath(p, g.config.ReceiptSecret); err != nil {
		return nil, err
	}
	var n notification
	if json.Unmarshal(p.Body, &n) != nil {
		return nil, gateway.ErrUnreadable
	}
	if n.TopicARN != g.config.ReceiptTopic {
		return nil, fmt.Errorf("%w: the topic is not receipt_topic", gateway.ErrForged)
	}
	if err := g.topic.signed(ctx, n, p.Now); err != nil {
		return nil, err
	}
	switch n.Type {
	case confirmation:
		return nil, g.topic.confirm(ctx, n)
	case "Notification":
		return eventOf(n.Message)
	}
	return nil, nil // the topic says good-bye
}

// event is what became of a message (docs.aws.amazon.com/end-user-messaging/latest/userguide/nx-features-messaging-events.html, as kept
// in November 2026). The numbers in it are not read. In which money totalMessagePrice is it does not say, so that is not read either.
type event struct {
	Type      string            `json:"eventType"`
	Timestamp int64             `json:"eventTimestamp"` // milliseconds
	IsFinal   bool              `json:"isFinal"`
	MessageID string            `json:"messageId"`
	Context   map[string]string `json:"context"`
	Parts     carrier.Scalar    `json:"totalMessageParts"`
}

// eventOf returns what an event says; nothing if it is about no message of ours.
func eventOf(text string) ([]gateway.Receipt, error) {
	var e event
	if json.Unmarshal([]byte(text), &e) != nil {
		return nil, gateway.ErrUnreadable
	}
	receipt := gateway.Receipt{MessageID: carrier.ID(e.Context[contextID]), ProviderID: carrier.ID(e.MessageID), Segments: e.Parts.Count()}
	if receipt.MessageID == "" && receipt.ProviderID == "" {
		return nil, nil
	}
	if e.Timestamp > 0 && e.Timestamp < maxMillis {
		receipt.At = time.UnixMilli(e.Timestamp).UTC()
	}
	switch reason, known := eventTypes[e.Type]; {
	case !known:
		return nil, nil
	case reason == "" && e.arrived():
		receipt.State = gateway.Delivered
	case reason == "" || !e.IsFinal: // a failure that is not final is tried again
		receipt.State = gateway.UnderWay
	default:
		receipt.State, receipt.Reason, receipt.Code = gateway.Undelivered, reason, e.Type
	}
	return []gateway.Receipt{receipt}, nil
}

// maxMillis is the end of the year 9999, after which a time has no text.
const maxMillis = 253402300800000

// arrived: in some countries TEXT_SUCCESSFUL is said where in others TEXT_DELIVERED is, so that it counts if nothing comes after it.
func (e event) arrived() bool {
	return e.Type == "TEXT_DELIVERED" || e.Type == "TEXT_SUCCESSFUL" && e.IsFinal
}
