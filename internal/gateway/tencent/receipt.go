package tencent

import (
	"context"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var (
	_ gateway.ReceiptReader   = (*Gateway)(nil)
	_ gateway.ReceiptAnswerer = (*Gateway)(nil)
)

// report is one of up to 100 in a call (cloud.tencent.com/document/api/382/59178, 5 January 2026). The number and the vendor's words
// are not read.
type report struct {
	Status      string         `json:"report_status"`
	Code        string         `json:"errmsg"`
	ReceiveTime string         `json:"user_receive_time"`
	SID         carrier.Scalar `json:"sid"` // what SendSms called SerialNo
	// Ext is the SessionContext that the message was sent with, its id: only for accounts for which the vendor has turned it on.
	Ext string `json:"ext"`
}

// Receipts implements [gateway.ReceiptReader]. The vendor signs nothing: who knows the secret in the path is it.
func (g *Gateway) Receipts(_ context.Context, p gateway.Post) ([]gateway.Receipt, error) {
	if err := carrier.FromPath(p, g.config.ReceiptSecret); err != nil {
		return nil, err
	}
	return carrier.Reports(p.Body, report.receipt)
}

// receipt returns what r says; false: it is about no message, or says nothing of it.
func (r report) receipt() (gateway.Receipt, bool) {
	receipt := gateway.Receipt{MessageID: carrier.ID(r.Ext), ProviderID: carrier.ID(string(r.SID)), At: carrier.ChinaTime(r.ReceiveTime)}
	if receipt.MessageID == "" && receipt.ProviderID == "" {
		return gateway.Receipt{}, false
	}
	switch r.Status {
	case "SUCCESS":
		receipt.State = gateway.Delivered
	case "FAIL":
		receipt.State = gateway.Undelivered
		receipt.Reason, receipt.Code = whyUndelivered(r.Code)
	default:
		return gateway.Receipt{}, false
	}
	return receipt, true
}

// receiptAnswer is what the vendor wants to read. Without it, it sends the same twice more (the same page).
const receiptAnswer = `{"result":0,"errmsg":"OK"}`

// ReceiptAnswer implements [gateway.ReceiptAnswerer].
func (g *Gateway) ReceiptAnswer() (contentType string, body []byte) {
	return "application/json; charset=utf-8", []byte(receiptAnswer)
}
