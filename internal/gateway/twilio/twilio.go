package twilio

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

// DefaultEndpoint is the vendor's API in the United States, its default (twilio-oai, 14 April 2026).
const DefaultEndpoint = "api.twilio.com"

// Config is what [Open] needs.
type Config struct {
	// AccountSID is the account that sends: AC and 32 hexadecimal digits. Required.
	AccountSID secret.Text
	// APIKeySID (SK and 32 hexadecimal digits) and APIKeySecret authenticate. The vendor recommends them. Either they
	// or AuthToken is required.
	APIKeySID, APIKeySecret secret.Text
	// AuthToken is the account's own, which may do anything to the account.
	AuthToken secret.Text
	// From is who sends: a number of the account in E.164, a short code, or an alphanumeric sender id. Either it or
	// MessagingServiceSID is required; with both it is one of the service's senders.
	From string
	// MessagingServiceSID is the Messaging Service that picks the sender: MG and 32 hexadecimal digits.
	MessagingServiceSID string
	// ValidityPeriod is how long a message may wait in the vendor's queue, after which it is not sent: whole seconds, 1 s
	// to 10 h. 0: the Messaging Service's, or 10 h. As long as a code lives is a good choice.
	ValidityPeriod time.Duration
	// ReceiptToken is the account's auth token again, where an API key authenticates: receipts are signed with it. Optional: without it and
	// AuthToken no receipt is believed.
	ReceiptToken secret.Text
	// ReceiptsURL is where the vendor is to report on messages, as it reaches it. "": it is told of none; a Messaging Service
	// may have an address of its own.
	ReceiptsURL string
	// Endpoint is the host of the API, as api.dublin.ie1.twilio.com; "": [DefaultEndpoint]. See [carrier.Endpoint].
	Endpoint string
	// Now is the clock that reads a wait given as a date; nil: the system's.
	Now func() time.Time
}

// Gateway is a [gateway.Driver]. Safe for concurrent use; only [Open] makes one that works.
type Gateway struct {
	config   Config
	endpoint *url.URL
	url      secret.Text // it names the account
	client   *carrier.Client
}

var _ gateway.Driver = (*Gateway)(nil)

// Open returns a Gateway, or every fault of c at once, as [carrier.Faults]. It does not touch the network.
func Open(c Config) (*Gateway, error) {
	if c.Endpoint == "" {
		c.Endpoint = DefaultEndpoint
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	faults := c.faults()
	endpoint, err := carrier.Endpoint(c.Endpoint)
	if err != nil {
		faults["endpoint"] = err.Error()
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	messages := endpoint.JoinPath("2010-04-01", "Accounts", c.AccountSID.Reveal(), "Messages.json")
	return &Gateway{c, endpoint, secret.New(messages.String()), carrier.New(carrier.Options{})}, nil
}

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	header := http.Header{
		"Accept":        {"application/json"},
		"Authorization": {g.authorization()},
		"Content-Type":  {"application/x-www-form-urlencoded"},
	}
	answer, err := g.client.Do(ctx, carrier.Request{URL: g.url.Reveal(), Header: header, Body: []byte(g.form(m))})
	if err != nil {
		return gateway.Accepted{}, err
	}
	accepted, err := outcome(answer, g.config.Now())
	// What a Messaging Service of its own accord reports on names the message by the vendor's id alone.
	accepted.ByProviderID = err == nil && g.config.ReceiptsURL == "" && !g.config.receiptToken().IsZero()
	return accepted, err
}
