package vonage

import (
	"bytes"
	"context"
	"encoding/json"
	"regexp"
	"strings"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
)

var _ gateway.ReceiptReader = (*Gateway)(nil)

// status is a status callback, in the form of version 1 (developer.vonage.com/en/messages/concepts/messages-status-callbacks, and
// MessageStatus of the vendor's SDK for Java; November 2026). The numbers and the vendor's words are not read.
type status struct {
	ID        string `json:"message_uuid"`
	ClientRef string `json:"client_ref"` // the message's id, see encode
	Channel   string `json:"channel"`
	Status    string `json:"status"`
	Timestamp string `json:"timestamp"`
	Error     struct {
		Type  string         `json:"type"`
		Title carrier.Scalar `json:"title"`
	} `json:"error"`
	Usage struct {
		Price    carrier.Scalar `json:"price"` // of the message, whatever its parts
		Currency string         `json:"currency"`
	} `json:"usage"`
	SMS struct {
		Parts carrier.Scalar `json:"count_total"`
	} `json:"sms"`
}

// receiptStates are the statuses of a message. One that is not here says nothing.
var receiptStates = map[string]gateway.ReceiptState{
	"submitted": gateway.UnderWay, "delivered": gateway.Delivered, "read": gateway.Delivered,
	"rejected": gateway.Undelivered, "undeliverable": gateway.Undelivered,
}

// Receipts implements [gateway.ReceiptReader]: a call is about one message. Where the account's callbacks come here, those of other
// channels do too, and are passed over.
func (g *Gateway) Receipts(_ context.Context, p gateway.Post) ([]gateway.Receipt, error) {
	if err := g.authentic(p); err != nil {
		return nil, err
	}
	var s status
	if !bytes.HasPrefix(bytes.TrimLeft(p.Body, " \t\r\n"), []byte("{")) || json.Unmarshal(p.Body, &s) != nil {
		return nil, gateway.ErrUnreadable
	}
	if carrier.ID(s.ID) == "" || s.Status == "" {
		return nil, gateway.ErrUnreadable
	}
	state, known := receiptStates[s.Status]
	if !known || s.Channel != "" && s.Channel != "sms" {
		return nil, nil
	}
	return []gateway.Receipt{s.receipt(state)}, nil
}

func (s status) receipt(state gateway.ReceiptState) gateway.Receipt {
	r := gateway.Receipt{MessageID: carrier.ID(s.ClientRef), ProviderID: s.ID, State: state, At: instant(s.Timestamp), Segments: s.SMS.Parts.Count()}
	if state == gateway.Undelivered {
		r.Reason, r.Code = s.why()
	}
	if cost, ok := micros(string(s.Usage.Price)); ok && currency.MatchString(s.Usage.Currency) {
		r.CostMicros, r.Currency = cost, s.Usage.Currency
	}
	return r
}

// why returns the reason of a code, and the code as it may be told. It ends the error's type, as #1330, and is its title too.
func (s status) why() (gateway.Reason, string) {
	_, code, _ := strings.Cut(s.Error.Type, "#")
	if _, known := codes[code]; !known {
		code = string(s.Error.Title)
	}
	if reason, known := codes[code]; known {
		return reason, code
	}
	return gateway.Ambiguous, carrier.Told(code)
}

var currency = regexp.MustCompile(`^[A-Z]{3}$`)

// instant reads the time of a callback, which the vendor has written in two ways; zero if it is none.
func instant(text string) time.Time {
	for _, layout := range []string{time.RFC3339, "2006-01-02 15:04:05 -0700"} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}
