package webhook

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var _ gateway.ReceiptReader = (*Gateway)(nil)

// receiptKind is the type of the event that a receiver reports with.
const receiptKind = "sms.receipt"

// report is what a receiver posts. Fields that are not known are left alone.
type report struct {
	Type string     `json:"type"`
	Data []reported `json:"data"`
}

// reported is its word on one message.
type reported struct {
	ID         string    `json:"id"` // as smsd gave it
	State      string    `json:"state"`
	Reason     string    `json:"reason"`
	Code       string    `json:"code"` // the carrier's own word for the reason
	At         time.Time `json:"at"`
	Segments   int       `json:"segments"`
	CostMicros int64     `json:"cost_micros"`
	Currency   string    `json:"currency"`
}

// Receipts implements [gateway.ReceiptReader]: a report is signed as messages are, with one of the same secrets.
func (g *Gateway) Receipts(_ context.Context, p gateway.Post) ([]gateway.Receipt, error) {
	if !signed(g.keys, p) {
		return nil, gateway.ErrForged
	}
	var r report
	if err := json.Unmarshal(p.Body, &r); err != nil {
		return nil, fmt.Errorf("%w: no JSON as documented", gateway.ErrUnreadable) // err may quote it
	}
	if r.Type != receiptKind {
		return nil, fmt.Errorf("%w: its type is not %s", gateway.ErrUnreadable, receiptKind)
	}
	var all []gateway.Receipt
	for _, one := range r.Data {
		if one.means() {
			all = append(all, one.receipt())
		}
	}
	return all, nil
}

// means says whether it is about a message, and in a state that is known.
func (r reported) means() bool {
	states := []gateway.ReceiptState{gateway.UnderWay, gateway.Delivered, gateway.Undelivered}
	return carrier.ID(r.ID) != "" && slices.Contains(states, gateway.ReceiptState(r.State))
}

// receipt is the report in the words of the domain.
func (r reported) receipt() gateway.Receipt {
	one := gateway.Receipt{
		MessageID: r.ID, State: gateway.ReceiptState(r.State), At: r.At.UTC(), Segments: max(r.Segments, 0),
	}
	if r.CostMicros > 0 && len(r.Currency) == 3 {
		one.CostMicros, one.Currency = r.CostMicros, r.Currency
	}
	if reason := gateway.Reason(r.Reason); one.State == gateway.Undelivered && slices.Contains(gateway.Reasons(), reason) {
		one.Reason = reason
	}
	if one.State == gateway.Undelivered {
		one.Code = carrier.Told(r.Code)
	}
	return one
}
