package twilio

import (
	"context"
	"net/url"
	"strconv"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var _ gateway.ReceiptReader = (*Gateway)(nil)

// messageParam is the parameter of our own address that has the message's id, so that a receipt is understood even where the answer with
// the vendor's id was lost. The vendor signs the address with it.
const messageParam = "message_id"

// statusCallback returns where the vendor is to report on a message; "": nowhere, since nobody could tell the reports from others.
func (g *Gateway) statusCallback(id string) string {
	if g.config.ReceiptsURL == "" || g.config.receiptToken().IsZero() {
		return ""
	}
	return g.config.ReceiptsURL + "?" + url.Values{messageParam: {id}}.Encode()
}

// receiptStates are the statuses of a message that is sent (twilio.com/docs/messaging/guides/outbound-message-status-in-status-callbacks, 21 July
// 2026). One that is not here says nothing.
var receiptStates = map[string]gateway.ReceiptState{
	"accepted": gateway.UnderWay, "scheduled": gateway.UnderWay, "queued": gateway.UnderWay, "sending": gateway.UnderWay, "sent": gateway.UnderWay,
	"delivered": gateway.Delivered, "read": gateway.Delivered,
	"undelivered": gateway.Undelivered, "failed": gateway.Undelivered, "canceled": gateway.Undelivered,
}

// Receipts implements [gateway.ReceiptReader]: a status callback is about one message, and has neither its price nor a time
// (twilio.com/docs/messaging/guides/track-outbound-message-status, 9 March 2026; RawDlrDoneDate is in the time of whoever reported it).
func (g *Gateway) Receipts(_ context.Context, p gateway.Post) ([]gateway.Receipt, error) {
	form, err := g.authentic(p)
	if err != nil {
		return nil, err
	}
	sid, status := form["MessageSid"], form["MessageStatus"]
	if !messageSID.MatchString(sid) || status == "" {
		return nil, gateway.ErrUnreadable
	}
	state, known := receiptStates[status]
	if !known {
		return nil, nil
	}
	receipt := gateway.Receipt{MessageID: messageOf(p.URL), ProviderID: sid, State: state}
	if state == gateway.Undelivered {
		receipt.Reason, receipt.Code = whyUndelivered(form["ErrorCode"])
	}
	return []gateway.Receipt{receipt}, nil
}

// messageOf returns the message's id in the address; "": the address is another, as one that a Messaging Service has.
func messageOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Query().Get(messageParam)
}

// whyUndelivered returns the reason of a code, and the code as it may be told.
func whyUndelivered(code string) (gateway.Reason, string) {
	n, err := strconv.Atoi(code)
	if meaning, known := codes[n]; err == nil && known {
		return meaning.reason, strconv.Itoa(n)
	}
	return gateway.Ambiguous, carrier.Told(code)
}
