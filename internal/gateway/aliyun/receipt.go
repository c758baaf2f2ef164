package aliyun

import (
	"context"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var (
	_ gateway.ReceiptReader   = (*Gateway)(nil)
	_ gateway.ReceiptAnswerer = (*Gateway)(nil)
)

// report is SmsReport by HTTP (help.aliyun.com/document_detail/101867.html and help.aliyun.com/en/sms/developer-reference/smsreport-http,
// November 2026). The number and the vendor's words are not read. One of several that make a batch may be of a kind that is unknown here.
type report struct {
	Success    *bool          `json:"success"`
	Code       string         `json:"err_code"`
	ReportTime string         `json:"report_time"`
	Size       carrier.Scalar `json:"sms_size"` // parts, though the page calls it a length
	BizID      string         `json:"biz_id"`
	OutID      string         `json:"out_id"` // the message's id, see query
}

// Receipts implements [gateway.ReceiptReader]. The vendor signs nothing: who knows the secret in the path is it.
func (g *Gateway) Receipts(_ context.Context, p gateway.Post) ([]gateway.Receipt, error) {
	if err := carrier.FromPath(p, g.receiptSecret); err != nil {
		return nil, err
	}
	return carrier.Reports(p.Body, report.receipt)
}

// receipt returns what r says; false: it is about no message, or says nothing of it.
func (r report) receipt() (gateway.Receipt, bool) {
	receipt := gateway.Receipt{
		MessageID: carrier.ID(r.OutID), ProviderID: carrier.ID(r.BizID),
		State: gateway.Delivered, At: carrier.ChinaTime(r.ReportTime), Segments: r.Size.Count(),
	}
	if r.Success == nil || receipt.MessageID == "" && receipt.ProviderID == "" {
		return gateway.Receipt{}, false
	}
	if !*r.Success {
		receipt.State = gateway.Undelivered
		receipt.Reason, receipt.Code = whyUndelivered(r.Code)
	}
	return receipt, true
}

// receiptAnswer is what the vendor wants to read: a code that is a number, whichever. Without it, or with another status than 200, it sends
// the same again, a minute, 5 and 10 minutes later, and then no more (document_detail/101867.html, November 2026).
const receiptAnswer = `{"code":0,"msg":"ok"}`

// ReceiptAnswer implements [gateway.ReceiptAnswerer].
func (g *Gateway) ReceiptAnswer() (contentType string, body []byte) {
	return "application/json; charset=utf-8", []byte(receiptAnswer)
}
