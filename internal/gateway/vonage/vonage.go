package vonage

import (
	"context"
	"net/http"
	"net/url"
	"time"

	"smsd/internal/gateway"
	"smsd/internal/gateway/carrier"
	"smsd/internal/secret"
)

// DefaultEndpoint serves wherever is nearest (description of the API, version 1.20.0, 8 October 2026).
const DefaultEndpoint = "api.nexmo.com"

// Config is what [Open] needs.
type Config struct {
	// ApplicationID and PrivateKey are an application's, with the Messages capability: a UUID, and an RSA key in PEM. The
	// vendor recommends them. Either they, or APIKey and APISecret, are required.
	ApplicationID, PrivateKey secret.Text
	// APIKey and APISecret are the account's.
	APIKey, APISecret secret.Text
	// From is who sends: a number of the account, with its country code and with or without +, or an alphanumeric sender
	// id of at most 11 characters. Required.
	From string
	// TTL is how long delivery is tried: whole seconds, 20 s to 7 days. 0: the vendor's 72 h. The vendor advises at least
	// half an hour; a code that comes later than it lives is of no use.
	TTL time.Duration
	// SignatureSecret is the account's, with which the vendor signs receipts: 16 characters or more. Optional: without it no receipt is
	// believed.
	SignatureSecret secret.Text
	// ReceiptsURL is where the vendor is to report on an application's messages, as it reaches it. "", and with APIKey: where its dashboard says.
	ReceiptsURL string
	// Endpoint is the host of the API, as api-eu.nexmo.com; "": [DefaultEndpoint]. See [carrier.Endpoint].
	Endpoint string
	// Now is the clock; nil: the system's. The vendor refuses a JWT from a clock that is far ahead or behind.
	Now func() time.Time
}

// Gateway is a [gateway.Driver]. Safe for concurrent use; only [Open] makes one that works.
type Gateway struct {
	config   Config
	endpoint *url.URL
	url      string
	auth     authentication
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
	auth := c.authentication(faults)
	c.receipts(faults)
	endpoint, err := carrier.Endpoint(c.Endpoint)
	if err != nil {
		faults["endpoint"] = err.Error()
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return &Gateway{c, endpoint, endpoint.JoinPath("v1", "messages").String(), auth, carrier.New(carrier.Options{})}, nil
}

// Send implements [gateway.Driver].
func (g *Gateway) Send(ctx context.Context, m gateway.Message) (gateway.Accepted, error) {
	now := g.config.Now()
	body, err := g.encode(m)
	if err != nil {
		return gateway.Accepted{}, err
	}
	authorization, err := g.auth(m.ID, now)
	if err != nil {
		return gateway.Accepted{}, err
	}
	header := http.Header{"Accept": {"application/json"}, "Authorization": {authorization}, "Content-Type": {"application/json"}}
	answer, err := g.client.Do(ctx, carrier.Request{URL: g.url, Header: header, Body: body})
	if err != nil {
		return gateway.Accepted{}, err
	}
	return outcome(answer, now)
}
