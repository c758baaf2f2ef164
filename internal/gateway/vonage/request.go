package vonage

import (
	"encoding/json"
	"errors"
	"strings"
	"time"

	"smsd/internal/gateway"
)

// request is a text by SMS (description of the API, version 1.20.0, 8 October 2026: OutboundSMSText). Numbers have no +.
type request struct {
	Channel     string `json:"channel"`
	MessageType string `json:"message_type"`
	To          string `json:"to"`
	From        string `json:"from"`
	Text        string `json:"text"`
	// ClientRef comes back in the receipts, so that they are understood even where the answer with their id was lost.
	ClientRef string `json:"client_ref,omitempty"`
	TTL       int    `json:"ttl,omitempty"` // seconds
	// WebhookURL is where the vendor is to report on the message, and WebhookVersion in which form.
	WebhookURL     string `json:"webhook_url,omitempty"`
	WebhookVersion string `json:"webhook_version,omitempty"`
}

// maxRef is how long a reference may be: the vendor's description says 100 in one place and 40 in another.
const maxRef = 40

func (g *Gateway) encode(m gateway.Message) ([]byte, error) {
	r := request{
		Channel: "sms", MessageType: "text",
		To: strings.TrimPrefix(m.Phone.E164(), "+"), From: strings.TrimPrefix(g.config.From, "+"),
		Text: m.Text.Reveal(), TTL: int(g.config.TTL / time.Second),
	}
	r.WebhookURL, r.WebhookVersion = g.config.callback()
	if len(m.ID) <= maxRef {
		r.ClientRef = m.ID
	}
	body, err := json.Marshal(r)
	if err != nil { // strings and a number always can be
		return nil, &gateway.Error{Reason: gateway.Configuration, Sent: gateway.NotSent, Err: errors.New("the message can't be encoded")}
	}
	return body, nil
}
